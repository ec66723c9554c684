package dev.fencing.sample.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.springframework.util.FileSystemUtils;

/**
 * A folder that is removed when it is closed.
 */
final class TemporaryFolder implements AutoCloseable {

	private static final int ATTEMPTS = 20;

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final Path path;

	private TemporaryFolder(Path path) {
		this.path = path;
	}

	static TemporaryFolder create(String prefix) throws IOException {
		return new TemporaryFolder(Files.createTempDirectory(prefix));
	}

	Path path() {
		return this.path;
	}

	/**
	 * Remove the folder. A server that was interrupted may be removing files from it at
	 * the same time, which fails one of the two.
	 */
	@Override
	public void close() throws IOException {
		for (int attempt = 1;; attempt++) {
			try {
				FileSystemUtils.deleteRecursively(this.path);
				return;
			}
			catch (IOException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
	}

}
