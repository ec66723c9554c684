package dev.fencing.compat;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.jayway.jsonpath.JsonPath;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.io.Resource;
import org.springframework.core.io.UrlResource;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.FencedLock;
import dev.fencing.StaleGenerationException;
import dev.fencing.event.LeaseAcquired;

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

	private static final String REJECTION = """
			rejections.recent[].acceptedToken string
			rejections.recent[].at string
			rejections.recent[].guard string
			rejections.recent[].instance string
			rejections.recent[].lock string
			rejections.recent[].owner string
			rejections.recent[].reason string
			rejections.recent[].rejectedToken string
			rejections.recent[].resource string""";

	private static final int WAITING = 3;

	private final HttpClient http = HttpClient.newHttpClient();

	private final ExecutorService clients = Executors.newFixedThreadPool(WAITING);

	@Autowired
	private Documents documents;

	@Autowired
	private BeforeWrite beforeWrite;

	@Autowired
	private Told told;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private DataSource dataSource;

	@Value("${local.server.port}")
	private int port;

	@Value("${spring.threads.virtual.enabled}")
	private boolean virtualThreads;

	@AfterEach
	void tidyUp() {
		this.beforeWrite.clear();
		this.clients.shutdownNow();
	}

	@Test
	void publishedJarRunsOnTheVersionMeant() throws IOException {
		assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected-boot-version"));
		URL jar = FencedLock.class.getProtectionDomain().getCodeSource().getLocation();
		assertThat(jar.getPath()).endsWith(".jar");
		Resource pom = new UrlResource(
				"jar:" + jar + "!/META-INF/maven/dev.fencing/fencing-spring-boot-autoconfigure/pom.xml");
		assertThat(pom.getContentAsString(StandardCharsets.UTF_8).replaceAll("\\s", ""))
			.contains("<artifactId>spring-boot-autoconfigure</artifactId><version>"
					+ System.getProperty("compiled-boot-version") + "</version>");
	}

	@Test
	@Timeout(60)
	void requestIsRefusedOnTheKindOfThreadThatIsSet() {
		assertThat(rename(12, "first", false)).isEqualTo(threads() + " renamed");
		this.beforeWrite.set(() -> takeOver(12));
		assertThat(rename(12, "stale", false)).isEqualTo(threads() + " refused");
		assertThat(rename(12, "stale", true)).isEqualTo(threads() + " refused");
		assertThat(titleOf(12)).isEqualTo("first");
		this.beforeWrite.clear();
		assertThat(rename(12, "next", true)).isEqualTo(threads() + " renamed");
		assertThat(titleOf(12)).isEqualTo("next");
	}

	@Test
	@Timeout(60)
	void requestsThatWaitAreServed() {
		List<CompletableFuture<String>> requests = new ArrayList<>();
		this.documents.rename(13, "held", () -> {
			for (int i = 0; i < WAITING; i++) {
				requests.add(CompletableFuture.supplyAsync(() -> rename(13, "served", false), this.clients));
			}
			Awaitility.await()
				.until(() -> JsonPath
					.<List<String>>read(get("/actuator/fencing"), "$.waiting[?(@.resource == 'document:13')].thread")
					.size() == WAITING);
			assertThat(requests).noneMatch(CompletableFuture::isDone);
		});
		assertThat(requests)
			.allSatisfy((request) -> assertThat(request.get(30, TimeUnit.SECONDS)).isEqualTo(threads() + " renamed"));
		assertThat(titleOf(13)).isEqualTo("served");
	}

	private String threads() {
		return (this.virtualThreads && Runtime.version().feature() >= 21) ? "virtual" : "platform";
	}

	private String rename(long id, String title, boolean plainly) {
		return send("POST", "/documents/%d?title=%s&plainly=%s".formatted(id, title, plainly));
	}

	@Test
	void metersAreThereForEveryKnownLock() {
		assertThat(JsonPath.<List<String>>read(get("/actuator/metrics"), "$.names")).contains("fence.lease.acquire",
				"fence.lease.held", "fence.lease.lost", "fence.leases.active", "fence.issuer.regressions",
				"fence.lease.renewal.failures", "fence.rejected");
		assertThat(JsonPath.<List<String>>read(get("/actuator/metrics/fence.rejected"),
				"$.availableTags[?(@.tag == 'reason')].values[*]"))
			.contains("stale", "foreign", "regressed");
	}

	@Test
	void tablesWereCreated() {
		assertThat(this.jdbc.queryForList("select lower(table_name) from information_schema.tables", String.class))
			.contains("fencing_generation", "fencing_rejection");
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

	@Test
	@Timeout(60)
	void endpointHasTheSameShape() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.documents.rename(9, "stale", () -> takeOver(9)));
		CompletableFuture<Void> next = new CompletableFuture<>();
		this.documents.rename(9, "held", () -> {
			new Thread(() -> {
				this.documents.rename(9, "next", NOTHING);
				next.complete(null);
			}).start();
			Awaitility.await().until(() -> get("/actuator/fencing").contains("waitedFor"));
			assertThat(JsonShape.of(get("/actuator/fencing")).replaceAll("(?m)^durability.findings.*\n", ""))
				.isEqualTo("""
						durability.error null
						instance string
						leases[].generation string
						leases[].heldFor string
						leases[].lock string
						leases[].owner string
						leases[].remaining string
						leases[].resource string
						leases[].thread string
						locks[].acquired number
						locks[].failed number
						locks[].issuerRegressions number
						locks[].lock string
						locks[].lost number
						locks[].rejected[].count number
						locks[].rejected[].guard string
						locks[].rejected[].reason string
						locks[].renewalFailures number
						locks[].skipped number
						locks[].unavailable number
						provider string
						rejections.dropped number
						rejections.error null
						rejections.next null
						%s
						rejections.store string
						rejections.total number
						waiting[].lock string
						waiting[].resource string
						waiting[].thread string
						waiting[].waitedFor string""".formatted(REJECTION));
			assertThat(JsonShape.of(get("/actuator/fencing?resource=document:9"))).isEqualTo("""
					error null
					holder.generation string
					holder.owner string
					holder.released boolean
					holder.remaining string
					registered.generation string
					registered.owner string
					registered.registeredAt string
					registered.token string
					rejections.next null
					%s
					rejections.store string
					resource string
					waiting[].lock string
					waiting[].resource string
					waiting[].thread string
					waiting[].waitedFor string""".formatted(REJECTION));
		});
		next.join();
	}

	@Test
	@Timeout(60)
	void operatorEndsALeaseAndFencesItsOwner() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.documents.renamePlainly(10, "ended", () -> {
				String report = send("DELETE", "/actuator/fencing?resource=document:10");
				assertThat(JsonShape.of(report)).isEqualTo("""
						ended.generation string
						ended.owner string
						ended.released boolean
						ended.remaining string
						error null
						fencedBy string
						holder null
						resource string""");
			}));
		assertThat(titleOf(10)).isEqualTo("original");
	}

	@Test
	void listenerIsToldAndTheCallIsObserved() {
		this.told.clear();
		this.documents.rename(11, "seen", NOTHING);
		assertThat(this.told.events()).filteredOn(LeaseAcquired.class::isInstance).hasSize(1);
		assertThat(this.told.observations()).containsExactly("fence.lock");
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

	protected String get(String path) {
		return send("GET", path);
	}

	private String send(String method, String path) {
		URI uri = URI.create("http://localhost:" + this.port + path);
		HttpRequest request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.noBody()).build();
		try {
			HttpResponse<String> response = this.http.send(request, BodyHandlers.ofString());
			assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
			return response.body();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
