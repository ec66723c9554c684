package dev.fencing.benchmark.startup;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import dev.fencing.FencedLock;
import dev.fencing.benchmark.server.BenchServers;

/**
 * Starts the application in a process of its own, which has on its class path what the
 * application needs, and nothing of what is measured besides.
 */
final class StartupProcess {

	private static final Duration LONGEST_START = Duration.ofMinutes(2);

	private static final Pattern LIBRARIES = Pattern.compile(
			"spring-(boot|aop|beans|context|core|data|expression|jdbc|oxm|tx)(?!.*-test).*|micrometer-(?!tracing).*"
					+ "|(prometheus|HdrHistogram|LatencyUtils|HikariCP|postgresql|lettuce|redis-authx|netty|reactor-core"
					+ "|reactive-streams|logback|slf4j|log4j|jul-to|commons-logging|jspecify|jakarta.annotation|snakeyaml"
					+ "|aopalliance).*");

	private StartupProcess() {
	}

	/**
	 * Start the application, and wait until it has ended.
	 * @param variant what it has of this project
	 * @param setting what the application does by itself
	 * @param jvmArguments further arguments for its JVM
	 * @return the values that it has reported, by column
	 */
	static Map<String, Double> run(StartupVariant variant, StartupSetting setting, String... jvmArguments)
			throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
		command.addAll(BenchServers.arguments());
		command.addAll(List.of(jvmArguments));
		command.addAll(
				List.of("-cp", classPath(variant), StartupApplication.class.getName(), variant.name(), setting.name()));
		Path output = Files.createTempFile("startup", ".txt");
		try {
			end(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start(), output);
			Map<String, Double> values = new LinkedHashMap<>();
			for (String line : Files.readAllLines(output)) {
				StartupReport.value(line).ifPresent((value) -> values.put(value.getKey(), value.getValue()));
			}
			return values;
		}
		finally {
			Files.delete(output);
		}
	}

	private static void end(Process process, Path output) throws IOException, InterruptedException {
		try {
			if (!process.waitFor(LONGEST_START.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new IllegalStateException("The application did not start:\n" + Files.readString(output));
			}
		}
		finally {
			process.destroyForcibly().waitFor();
		}
	}

	private static String classPath(StartupVariant variant) throws URISyntaxException {
		List<String> entries = new ArrayList<>();
		entries.add(location(StartupApplication.class));
		if (variant.hasStarter()) {
			entries.add(location(FencedLock.class));
		}
		Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> LIBRARIES.matcher(new File(entry).getName()).matches())
			.forEach(entries::add);
		return String.join(File.pathSeparator, entries);
	}

	private static String location(Class<?> type) throws URISyntaxException {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
	}

}
