package dev.fencing.sample.operations;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the files for operators are.
 */
final class Documents {

	static final Path ALERTS = Path.of("..", "docs", "prometheus", "fencing-alerts.yml");

	static final Path ALERT_TESTS = Path.of("..", "docs", "prometheus", "fencing-alerts-test.yml");

	static final Path DASHBOARD = Path.of("..", "docs", "grafana", "fencing-dashboard.json");

	static final Path OPERATIONS = Path.of("..", "docs", "operations.md");

	private Documents() {
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
