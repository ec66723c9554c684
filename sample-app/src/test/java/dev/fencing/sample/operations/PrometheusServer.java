package dev.fencing.sample.operations;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.util.FileSystemUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

import static org.awaitility.Awaitility.await;

/**
 * A real Prometheus that asks the application every second and knows the alerts. It
 * shares nothing with one that the machine runs: not its port, files or settings.
 */
final class PrometheusServer implements AutoCloseable {

	static final Duration INTERVAL = Duration.ofSeconds(1);

	static final String JOB = "fencing-sample";

	private static final int START_ATTEMPTS = 5;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final Path program = PrometheusPrograms.prometheus();

	private final Path folder;

	private final Thread closeAtExit = new Thread(this::stop);

	private @Nullable Process process;

	private RestClient client;

	PrometheusServer(int applicationPort) throws IOException {
		this.folder = Files.createTempDirectory("fencing-prometheus");
		Files.writeString(this.folder.resolve("prometheus.yml"), """
				global:
				  scrape_interval: 1s
				  evaluation_interval: 1s
				rule_files:
				  - %s
				scrape_configs:
				  - job_name: %s
				    metrics_path: /actuator/prometheus
				    static_configs:
				      - targets: ["127.0.0.1:%d"]
				""".formatted(Documents.ALERTS.toAbsolutePath().normalize(), JOB, applicationPort));
		Runtime.getRuntime().addShutdownHook(this.closeAtExit);
		start();
	}

	private void start() throws IOException {
		for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
			// Another process may take the free port before the server does
			int port = freePort();
			this.client = RestClient.create("http://127.0.0.1:" + port);
			Process server = new ProcessBuilder(this.program.toString(),
					"--config.file=" + this.folder.resolve("prometheus.yml"),
					"--storage.tsdb.path=" + this.folder.resolve("data"), "--web.listen-address=127.0.0.1:" + port,
					"--log.level=warn")
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
				.start();
			this.process = server;
			if (isUp(server)) {
				return;
			}
			stop();
		}
		throw new IOException("Prometheus does not start:\n" + Files.readString(log()));
	}

	private boolean isUp(Process server) {
		try {
			await().atMost(PATIENCE).until(() -> !server.isAlive() || isReady());
			return server.isAlive();
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	private boolean isReady() {
		try {
			return this.client.get().uri("/-/ready").retrieve().toBodilessEntity().getStatusCode().is2xxSuccessful();
		}
		catch (RestClientException ex) {
			return false;
		}
	}

	/**
	 * Return what an expression gives now.
	 */
	JsonNode query(String expression) {
		return get("/api/v1/query?query={expression}", expression).path("result");
	}

	/**
	 * Return what an expression has given in the last minutes, second by second.
	 */
	JsonNode queryRange(String expression, Duration range) {
		double now = System.currentTimeMillis() / 1000.0;
		return get("/api/v1/query_range?query={expression}&start={start}&end={end}&step=1", expression,
				now - range.toSeconds(), now)
			.path("result");
	}

	/**
	 * Return the values of a label.
	 */
	JsonNode labelValues(String label, String series) {
		return get("/api/v1/label/{label}/values?match[]={series}", label, series);
	}

	JsonNode rules() {
		return get("/api/v1/rules?type=alert").path("groups").path(0).path("rules");
	}

	private JsonNode get(String uri, Object... variables) {
		JsonNode answer = this.client.get().uri(uri, variables).retrieve().body(JsonNode.class);
		if (answer == null || !answer.path("status").asString().equals("success")) {
			throw new IllegalStateException(String.valueOf(answer));
		}
		return answer.path("data");
	}

	private Path log() {
		return this.folder.resolve("log");
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	// Nothing of it is kept, so that there is nothing to shut down in order
	private void stop() {
		Process server = this.process;
		if (server != null) {
			server.destroyForcibly();
			try {
				server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public void close() throws IOException {
		stop();
		Runtime.getRuntime().removeShutdownHook(this.closeAtExit);
		FileSystemUtils.deleteRecursively(this.folder);
	}

}
