package dev.fencing.sample.operations;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * The programs of Prometheus that are installed on the machine. Where they are not, the
 * calling test is skipped, but in CI it fails.
 */
final class PrometheusPrograms {

	private static final String MISSING = "Prometheus is not installed (on Debian: the package prometheus)";

	private PrometheusPrograms() {
	}

	static Path prometheus() {
		return require("prometheus");
	}

	static Path promtool() {
		return require("promtool");
	}

	private static Path require(String name) {
		Path program = find(name);
		if (program == null && System.getenv("CI") != null) {
			throw new IllegalStateException(MISSING + ": in CI no test is skipped");
		}
		Assumptions.assumeTrue(program != null, MISSING);
		return program;
	}

	private static @Nullable Path find(String name) {
		return Stream
			.concat(Stream.of("/usr/bin"),
					Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)))
			.filter((folder) -> !folder.isEmpty())
			.map((folder) -> Path.of(folder, name))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

}
