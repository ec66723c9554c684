package dev.fencing.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of a process, which makes steps: libfaketime, where it is installed.
 */
final class SteppedClock {

	/**
	 * Where Debian has its libraries.
	 */
	private static final Path LIBRARIES = Path.of("/usr/lib");

	private final Path library;

	private final Path offset;

	private SteppedClock(Path library) {
		this.library = library;
		try {
			this.offset = Files.createTempFile("fencing-clock", null);
			this.offset.toFile().deleteOnExit();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		step("+0");
	}

	/**
	 * Create a clock, if there is a libfaketime.
	 */
	static Optional<SteppedClock> ifInstalled() {
		if (!Files.isDirectory(LIBRARIES)) {
			return Optional.empty();
		}
		try (Stream<Path> folders = Files.list(LIBRARIES)) {
			return folders.map((folder) -> folder.resolve("faketime/libfaketimeMT.so.1"))
				.filter(Files::exists)
				.findFirst()
				.map(SteppedClock::new);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the variables for a process that goes by this clock. Its monotonic clock
	 * stays as it is, as it does when an operator sets the time; without the last
	 * variable no timed wait of a JVM would wait.
	 */
	Map<String, String> environment() {
		return Map.of("LD_PRELOAD", this.library.toString(), "FAKETIME_TIMESTAMP_FILE", this.offset.toString(),
				"FAKETIME_CACHE_DURATION", "1", "FAKETIME_DONT_FAKE_MONOTONIC", "1", "FAKETIME_FORCE_MONOTONIC_FIX",
				"0");
	}

	/**
	 * Make a step. The process sees it within a second.
	 * @param offset the difference to the true time, as in {@code +3600}
	 */
	void step(String offset) {
		try {
			Files.write(this.offset, List.of(offset));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
