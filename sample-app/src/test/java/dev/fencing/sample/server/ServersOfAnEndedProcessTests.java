package dev.fencing.sample.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.fencing.sample.SampleApplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the servers of an application whose process is told to end.
 */
class ServersOfAnEndedProcessTests {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	@TempDir
	private Path folder;

	private Path output;

	private Process application;

	@BeforeEach
	void startApplication() throws IOException {
		this.output = this.folder.resolve("output.txt");
		this.application = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Djava.io.tmpdir=" + this.folder,
				// The unpacked binaries are shared
				"-Dot.epg.working-dir=" + Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg"), "-cp",
				System.getProperty("java.class.path"), SampleApplication.class.getName(), "--server.port=0",
				"--sample.demo=false")
			.redirectErrorStream(true)
			.redirectOutput(this.output.toFile())
			.start();
	}

	@AfterEach
	void killApplication() {
		this.application.destroyForcibly();
	}

	@Test
	void endWithIt() throws Exception {
		await().atMost(LIMIT).until(() -> Files.readString(this.output).contains("Started SampleApplication"));
		long postgres = postgresProcess();
		List<ProcessHandle> children = this.application.descendants().toList();
		assertThat(children).isNotEmpty();
		endApplication();
		await().atMost(LIMIT).until(() -> ProcessHandle.of(postgres).isEmpty());
		assertThat(children).noneMatch(ProcessHandle::isAlive);
		assertThat(serverFolders()).isEmpty();
	}

	@Test
	void endWithItWhenItIsStillStarting() throws Exception {
		await().pollInterval(Duration.ofMillis(5)).atMost(LIMIT).until(() -> !pidFiles().isEmpty());
		endApplication();
		await().atMost(LIMIT)
			.untilAsserted(() -> assertThat(ProcessHandle.allProcesses()
				.map((process) -> process.info().commandLine().orElse(""))
				.filter((commandLine) -> commandLine.contains(this.folder.toString()))).isEmpty());
		assertThat(serverFolders()).isEmpty();
	}

	private void endApplication() throws InterruptedException {
		this.application.destroy();
		assertThat(this.application.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	private long postgresProcess() throws IOException {
		return Long.parseLong(Files.readAllLines(pidFiles().get(0)).get(0).trim());
	}

	private List<Path> pidFiles() {
		return serverFolders().stream()
			.map((server) -> server.resolve("postmaster.pid"))
			.filter(Files::exists)
			.toList();
	}

	private List<Path> serverFolders() {
		try (Stream<Path> files = Files.list(this.folder)) {
			return files.filter((file) -> file.getFileName().toString().startsWith("fencing-sample-")).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
