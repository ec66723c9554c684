package dev.fencing.sample.race;

import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.test.web.servlet.client.RestTestClient;

import dev.fencing.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that operators see what the races show.
 */
@SampleTest
class RejectionsSeenByOperatorsTests {

	@Autowired
	private RaceService races;

	private RestTestClient client;

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void prometheusAndEndpointAgree() {
		long before = counter();
		assertThat(endpointTotal()).isEqualTo(before);
		long rejected = 0;
		for (PausePoint pause : PausePoint.values()) {
			rejected += this.races.run(true, pause).rejected();
			this.races.run(false, pause);
		}
		assertThat(rejected).isEqualTo(3);
		assertThat(counter()).isEqualTo(before + rejected);
		assertThat(endpointTotal()).isEqualTo(before + rejected);
	}

	@Test
	void endpointListsTheRefusedOwner() {
		String resource = this.races.run(true, PausePoint.BEFORE_WRITE).resource();
		this.client.get()
			.uri("/actuator/fencing")
			.exchangeSuccessfully()
			.expectBody()
			.jsonPath("$.rejections.recent[?(@.resource == '%s' && @.reason == 'stale')]".formatted(resource))
			.isNotEmpty();
		this.client.get()
			.uri("/actuator/fencing?resource={resource}", resource)
			.exchangeSuccessfully()
			.expectBody()
			.jsonPath("$.rejections")
			.isNotEmpty();
	}

	private long counter() {
		String meters = this.client.get()
			.uri("/actuator/prometheus")
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		assertThat(meters).isNotNull().contains("fence_rejected_total{");
		return (long) meters.lines()
			.filter((line) -> line.startsWith("fence_rejected_total{"))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	private long endpointTotal() {
		Map<String, Object> answer = this.client.get()
			.uri("/actuator/fencing")
			.exchangeSuccessfully()
			.expectBody(new ParameterizedTypeReference<Map<String, Object>>() {
			})
			.returnResult()
			.getResponseBody();
		assertThat(answer).isNotNull();
		assertThat(answer.get("rejections")).isInstanceOf(Map.class);
		return Long.parseLong(String.valueOf(((Map<?, ?>) answer.get("rejections")).get("total")));
	}

}
