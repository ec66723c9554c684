package dev.fencing.actuate;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.skyscreamer.jsonassert.JSONAssert;
import org.skyscreamer.jsonassert.JSONCompareMode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.actuate.web.ServletManagementContextAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseState;
import dev.fencing.transaction.RegisteredGeneration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the JSON of {@link FencingEndpoint}, in an application whose own JSON looks
 * quite different.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "management.endpoints.web.exposure.include=fencing",
				"spring.jackson.property-naming-strategy=SNAKE_CASE",
				"spring.jackson.default-property-inclusion=NON_EMPTY" })
class FencingEndpointWebTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private OperatorFixture fixture;

	@Value("${local.server.port}")
	private int port;

	@AfterEach
	void forget() {
		this.fixture.state = null;
		this.fixture.registered = null;
		this.fixture.providerFailure = null;
		this.fixture.durability = DurabilityReport.NONE;
	}

	@Test
	void reportsOnTheInstance() throws Exception {
		this.fixture.reject("document:42", OperatorFixture.TOKEN, OperatorFixture.TOKEN + 1);
		this.fixture.reject("document:41", OperatorFixture.TOKEN, null);
		assertJson("", """
				{
					"provider": "fixture",
					"instance": "host-1",
					"leases": [],
					"waiting": [],
					"locks": [],
					"rejections": {
						"total": 2,
						"store": "memory",
						"dropped": 0,
						"next": null,
						"error": null,
						"recent": [
							{
								"at": "2026-01-31T12:00:00.123456Z",
								"lock": "document",
								"resource": "document:41",
								"rejectedToken": "1790000000123000007",
								"acceptedToken": null,
								"guard": "transaction",
								"reason": "stale",
								"owner": "a1",
								"instance": "host-1"
							},
							{
								"at": "2026-01-31T12:00:00.123456Z",
								"lock": "document",
								"resource": "document:42",
								"rejectedToken": "1790000000123000007",
								"acceptedToken": "1790000000123000008",
								"guard": "transaction",
								"reason": "stale",
								"owner": "a1",
								"instance": "host-1"
							}
						]
					},
					"durability": { "findings": [], "error": null }
				}""");
	}

	@Test
	void tellsHowWellLeasesAreKept() throws Exception {
		this.fixture.durability = new DurabilityReport(List.of(OperatorFixture.FINDING), "The rest is unknown");
		JSONAssert.assertEquals("""
				{
					"durability": {
						"findings": [
							{
								"setting": "appendonly",
								"value": "no",
								"risk": "A crash loses leases.",
								"advice": "Set appendonly to yes."
							}
						],
						"error": "The rest is unknown"
					}
				}""", get(""), JSONCompareMode.STRICT_ORDER);
	}

	@Test
	void listsWhatIsHeld() throws Exception {
		LeaseHold hold = this.fixture.acquire("document", 42);
		String json = get("");
		this.fixture.end(hold);
		assertThat(json).containsPattern("\"leases\":\\[\\{\"lock\":\"document\",\"resource\":\"document:42\","
				+ "\"generation\":\"1790000000123\",\"owner\":\"[-0-9a-f]+\",\"heldFor\":\"PT[0-9.]+S\","
				+ "\"remaining\":\"PT[0-9.]+S\",\"thread\":\"" + Thread.currentThread().getName() + "\"}]");
	}

	@Test
	void reportsOnAResourceWhoseKeyHasASlash() throws Exception {
		this.fixture.state = new LeaseState(new Lease("document:a/b", "b2", OperatorFixture.GENERATION),
				Duration.ofMillis(12_500));
		this.fixture.registered = new RegisteredGeneration(OperatorFixture.TOKEN, "b2",
				Instant.parse("2026-01-31T12:00:00.5Z"));
		assertJson("?resource=document:a%2Fb",
				"""
							{
								"resource": "document:a/b",
								"holder": { "owner": "b2", "generation": "1790000000123", "remaining": "PT12.5S", "released": false },
								"registered": {
									"token": "1790000000123000007",
									"generation": "1790000000123",
									"owner": "b2",
									"registeredAt": "2026-01-31T12:00:00.500Z"
								},
								"waiting": [],
						"rejections": { "store": "memory", "recent": [], "next": null },
								"error": null
							}""");
	}

	@Test
	void answersForAResourceThatNobodyKnows() throws Exception {
		assertJson("?resource=document:43", """
				{
					"resource": "document:43",
					"holder": null,
					"registered": null,
					"waiting": [],
					"rejections": { "store": "memory", "recent": [], "next": null },
					"error": null
				}""");
	}

	@Test
	void answersWhenTheProviderFails() throws Exception {
		this.fixture.providerFailure = new LeaseProviderException("Redis is away");
		this.fixture.registered = new RegisteredGeneration(OperatorFixture.TOKEN, "b2", null);
		assertJson("?resource=document:44", """
				{
					"resource": "document:44",
					"holder": null,
					"registered": {
						"token": "1790000000123000007",
						"generation": "1790000000123",
						"owner": "b2",
						"registeredAt": null
					},
					"waiting": [],
					"rejections": { "store": "memory", "recent": [], "next": null },
					"error": "The lease provider failed: Redis is away"
				}""");
	}

	@Test
	void endsNoLeaseUnlessAccessIsGranted() throws Exception {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/actuator/fencing?resource=document:42");
		HttpResponse<String> response = this.client.send(HttpRequest.newBuilder(uri).DELETE().build(),
				HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(405);
	}

	private void assertJson(String query, String expected) throws Exception {
		JSONAssert.assertEquals(expected, get(query), JSONCompareMode.STRICT);
	}

	private String get(String query) throws Exception {
		URI uri = URI.create("http://127.0.0.1:" + this.port + "/actuator/fencing" + query);
		HttpResponse<String> response = this.client.send(HttpRequest.newBuilder(uri).build(),
				HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TomcatServletWebServerAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
			WebMvcAutoConfiguration.class, JacksonAutoConfiguration.class, HttpMessageConvertersAutoConfiguration.class,
			EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class, JacksonEndpointAutoConfiguration.class,
			ManagementContextAutoConfiguration.class, ServletManagementContextAutoConfiguration.class })
	static class Application {

		@Bean
		OperatorFixture fixture() {
			return new OperatorFixture();
		}

		@Bean
		FencingEndpoint fencingEndpoint(OperatorFixture fixture) {
			return fixture.endpoint(true);
		}

	}

}
