package dev.fencing.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.actuate.web.ServletManagementContextAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.autoconfigure.FencingAutoConfiguration;
import dev.fencing.autoconfigure.FencingEndpointAutoConfiguration;
import dev.fencing.autoconfigure.FencingJdbcAutoConfiguration;
import dev.fencing.lease.LeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP where its access is unrestricted.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "management.endpoints.web.exposure.include=fencing",
				"management.endpoint.fencing.access=unrestricted", "fencing.provider=memory",
				"spring.datasource.generate-unique-name=true" })
@Timeout(60)
class UnrestrictedEndpointTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private FencedLockTemplate locks;

	@Autowired
	private LeaseProvider provider;

	@Value("${local.server.port}")
	private int port;

	@Test
	void leaseIsEndedAndItsOwnerFenced() {
		this.locks.executeWithoutResult(LockRequest.of("document").key("a/b"), (context) -> {
			HttpResponse<String> response = send("DELETE", "?resource=document:a%2Fb");
			assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
			assertThat(JsonPath.<String>read(response.body(), "$.resource")).isEqualTo("document:a/b");
			assertThat(JsonPath.<String>read(response.body(), "$.ended.generation"))
				.isEqualTo(Long.toString(context.generation()));
			assertThat(Long.parseLong(JsonPath.read(response.body(), "$.fencedBy")))
				.isGreaterThan(context.generation());
			assertThat(JsonPath.<Object>read(response.body(), "$.holder")).isNull();
			assertThat(this.provider.find("document:a/b")).isNull();
			assertThat(
					JsonPath.<List<Integer>>read(send("GET", "").body(), "$.locks[?(@.lock == 'document')].acquired"))
				.as("what an operator does is no call of the application")
				.containsExactly(1);
		});
	}

	@ParameterizedTest
	@CsvSource({ "DELETE, '?resource=%20', name", "GET, ?size=0, from 1 to 1000", "GET, ?size=1001, from 1 to 1000" })
	void badInputIsAnsweredWithWhatToDo(String method, String query, String expected) {
		HttpResponse<String> response = send(method, query);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(JsonPath.<String>read(response.body(), "$.error")).contains(expected);
	}

	@ParameterizedTest
	@CsvSource({ "DELETE, ''", "GET, ?before=x", "GET, ?size=x" })
	void whatCannotBeReadIsABadRequest(String method, String query) {
		assertThat(send(method, query).statusCode()).isEqualTo(400);
	}

	private HttpResponse<String> send(String method, String query) {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/actuator/fencing" + query);
		HttpRequest request = HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
		try {
			return this.client.send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
			EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
			ManagementContextAutoConfiguration.class, ServletManagementContextAutoConfiguration.class,
			DataSourceAutoConfiguration.class, FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class,
			FencingEndpointAutoConfiguration.class })
	static class Application {

	}

}
