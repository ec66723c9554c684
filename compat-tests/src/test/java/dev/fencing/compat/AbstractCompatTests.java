package dev.fencing.compat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import javax.sql.DataSource;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.FencedLock;
import dev.fencing.StaleGenerationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What must hold on every version of Spring Boot.
 */
@Tag("compat")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
abstract class AbstractCompatTests {

	private static final Runnable NOTHING = () -> {
	};

	private final HttpClient http = HttpClient.newHttpClient();

	@Autowired
	private Documents documents;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private DataSource dataSource;

	@Value("${local.server.port}")
	private int port;

	@Test
	void publishedJarRunsOnTheVersionMeant() {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected-boot-version"));
		assertThat(FencedLock.class.getProtectionDomain().getCodeSource().getLocation().getPath()).endsWith(".jar");
	}

	@Test
	void fencedHelperStampsTheRow() {
		this.documents.rename(1, "changed", NOTHING);
		assertThat(titleOf(1)).isEqualTo("changed");
		assertThat(tokenOf(1)).isGreaterThan(markOf(1)).isLessThan(markOf(1) + 1_000_000);
	}

	@Test
	void helpersOfAllStylesWrite() {
		assertThat(this.documents.renameInEveryStyle(1, "thrice")).containsExactly(1, 1, 1, 1);
		assertThat(titleOf(1)).isEqualTo("thrice");
	}

	@Test
	void staleOwnerIsRefusedAndTheNextOneWorks() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.documents.renamePlainly(2, "stale", () -> takeOver(2)));
		assertThat(titleOf(2)).isEqualTo("original");
		this.documents.renamePlainly(2, "next", NOTHING);
		assertThat(titleOf(2)).isEqualTo("next");
	}

	@Test
	void rejectionIsSeenByOperators() throws Exception {
		double before = rejected();
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.documents.rename(3, "stale", () -> takeOver(3)));
		assertThat(titleOf(3)).isEqualTo("original");
		assertThat(rejected()).isEqualTo(before + 1);
		assertThat(JsonPath.<Integer>read(get("/actuator/fencing"), "$.rejections.total")).isPositive();
		assertThat(get("/actuator/fencing?resource=document:3")).contains("\"document:3\"");
	}

	protected void takeOver(long id) {
		// On a connection of its own, committed at once: as a later owner's registration
		// is
		try (Connection connection = this.dataSource.getConnection();
				PreparedStatement statement = connection.prepareStatement("update fencing_generation "
						+ "set fencing_token = fencing_token + 1000000, owner = 'another' where resource_id = ?")) {
			statement.setString(1, "document:" + id);
			assertThat(statement.executeUpdate()).isOne();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	protected String titleOf(long id) {
		return this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
	}

	private long tokenOf(long id) {
		return this.jdbc.queryForObject("select fencing_token from document where id = ?", Long.class, id);
	}

	private long markOf(long id) {
		return this.jdbc.queryForObject("select fencing_token from fencing_generation where resource_id = ?",
				Long.class, "document:" + id);
	}

	private double rejected() throws Exception {
		String meter = get("/actuator/metrics/fence.rejected?tag=lock:document");
		return JsonPath.<Number>read(meter, "$.measurements[0].value").doubleValue();
	}

	protected String get(String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.port + path);
		HttpResponse<String> response = this.http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return response.body();
	}

}
