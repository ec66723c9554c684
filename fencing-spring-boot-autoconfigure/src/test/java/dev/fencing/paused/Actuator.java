package dev.fencing.paused;

import java.util.regex.Pattern;

import org.springframework.web.client.RestClient;

import dev.fencing.actuate.FencingReport;
import dev.fencing.actuate.ResourceReport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a worker tells its operators.
 */
final class Actuator {

	private final RestClient client;

	Actuator(int port) {
		this.client = RestClient.create("http://127.0.0.1:" + port + "/actuator");
	}

	/**
	 * Return the value of a meter.
	 * @param meter its name at the endpoint prometheus
	 * @return the sum over all tags; 0 if the meter is not there
	 */
	double sum(String meter) {
		String text = this.client.get().uri("/prometheus").retrieve().body(String.class);
		assertThat(text).isNotNull();
		return Pattern.compile("^" + meter + "(?:\\{.*})? (\\S+)$", Pattern.MULTILINE)
			.matcher(text)
			.results()
			.mapToDouble((match) -> Double.parseDouble(match.group(1)))
			.sum();
	}

	FencingReport report() {
		FencingReport report = this.client.get().uri("/fencing").retrieve().body(FencingReport.class);
		assertThat(report).isNotNull();
		return report;
	}

	ResourceReport report(String resource) {
		ResourceReport report = this.client.get()
			.uri("/fencing?resource={resource}", resource)
			.retrieve()
			.body(ResourceReport.class);
		assertThat(report).isNotNull();
		return report;
	}

}
