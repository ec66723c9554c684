package dev.fencing.sample.aot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The jar of the application in a process of its own, with generated beans.
 */
final class ProcessedJar implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final Pattern PORT = Pattern.compile("started on port (\\d+)");

	private final HttpClient http = HttpClient.newHttpClient();

	private final Process process;

	private final Path output;

	private ProcessedJar(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	/**
	 * Start the jar that the build has made, and wait until it serves.
	 * @param folder where to write what it prints
	 */
	static ProcessedJar start(Path folder) throws IOException {
		Path output = folder.resolve("output.txt");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dspring.aot.enabled=true", "-jar", System.getProperty("sample.jar"), "--server.port=0")
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		ProcessedJar jar = new ProcessedJar(process, output);
		try {
			await().atMost(LIMIT).until(() -> jar.isReady() || !process.isAlive());
			assertThat(process.isAlive()).as(jar.output()).isTrue();
			return jar;
		}
		catch (Throwable ex) {
			process.destroyForcibly();
			throw ex;
		}
	}

	/**
	 * Return whether the races are over that it runs when it starts: whether it has them
	 * is settled by the build, and no property of the process leaves them out.
	 */
	private boolean isReady() throws IOException, InterruptedException {
		if (!PORT.matcher(output()).find()) {
			return false;
		}
		HttpRequest request = HttpRequest.newBuilder(uri("/actuator/health/readiness")).timeout(LIMIT).build();
		return this.http.send(request, BodyHandlers.discarding()).statusCode() == 200;
	}

	String output() {
		try {
			return Files.readString(this.output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String get(String path) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri(path)).GET());
	}

	/**
	 * Send JSON.
	 * @param method as in {@code POST}
	 */
	String send(String method, String path, String json) throws IOException, InterruptedException {
		return send(HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.method(method, BodyPublishers.ofString(json)));
	}

	private URI uri(String path) {
		Matcher port = PORT.matcher(output());
		assertThat(port.find()).isTrue();
		return URI.create("http://127.0.0.1:" + port.group(1) + path);
	}

	private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.http.send(request.timeout(LIMIT).build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
		return response.body();
	}

	/**
	 * Tell the process to end, and wait until it and its servers have.
	 */
	@Override
	public void close() {
		List<ProcessHandle> servers = this.process.descendants().toList();
		this.process.destroy();
		try {
			assertThat(this.process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("has ended").isTrue();
			await().atMost(LIMIT).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.process.destroyForcibly();
		}
	}

}
