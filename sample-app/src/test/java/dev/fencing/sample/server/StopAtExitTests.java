package dev.fencing.sample.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link StopAtExit}, in a process that ends while its server is starting.
 */
class StopAtExitTests {

	private static final Duration LIMIT = Duration.ofMinutes(1);

	@Test
	void serverThatIsStillStartingIsStopped(@TempDir Path folder) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Dfolder=" + folder, "-cp", System.getProperty("java.class.path"), StartingApplication.class.getName())
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("output.txt").toFile())
			.start();
		try {
			await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("starting")));
			process.destroy();
			Files.createFile(folder.resolve("goOn"));
			assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(folder.resolve("stopped")).exists();
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * An application with a server that its context does not know.
	 */
	static class StartingApplication {

		public static void main(String[] args) {
			new SpringApplicationBuilder(StartingApplication.class).web(WebApplicationType.NONE).run(args);
		}

		@Bean
		Object notTheServer() throws IOException {
			StopAtExit.start(StartingApplication::startServer);
			return new Object();
		}

		private static AutoCloseable startServer() throws IOException {
			Path folder = Path.of(System.getProperty("folder"));
			Files.createFile(folder.resolve("starting"));
			await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("goOn")));
			return () -> Files.createFile(folder.resolve("stopped"));
		}

	}

}
