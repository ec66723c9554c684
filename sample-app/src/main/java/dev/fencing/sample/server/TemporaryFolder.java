package dev.fencing.sample.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

/**
 * A folder that is removed when it is closed.
 */
final class TemporaryFolder implements AutoCloseable {

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

	@Override
	public void close() throws IOException {
		FileSystemUtils.deleteRecursively(this.path);
	}

}
