package dev.fencing.benchmark.startup;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import dev.fencing.FencedLock;
import dev.fencing.benchmark.process.LoadProcess;
import dev.fencing.benchmark.server.BenchServers;

/**
 * Starts the application in a process of its own, which has on its class path what the
 * application needs, and nothing of what is measured besides.
 */
final class StartupProcess {

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
		List<String> arguments = new ArrayList<>(BenchServers.arguments());
		arguments.add("-Xmx256m");
		arguments.addAll(List.of(jvmArguments));
		Map<String, Double> values = new LinkedHashMap<>();
		try (LoadProcess process = LoadProcess.start(StartupApplication.class, classPath(variant), arguments,
				variant.name(), setting.name())) {
			for (String line : process.lines()) {
				Map.Entry<String, Double> value = StartupReport.value(line);
				values.put(value.getKey(), value.getValue());
			}
		}
		return values;
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
