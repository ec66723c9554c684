package dev.fencing.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of the project.
 */
final class Project {

	static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private Project() {
	}

	/**
	 * Return all documents, those that do not exist yet included as soon as they do.
	 */
	static List<MarkdownFile> documents() {
		List<Path> files = new ArrayList<>(list(ROOT, 1, ".md"));
		files.addAll(list(ROOT.resolve("docs"), Integer.MAX_VALUE, ".md"));
		return files.stream().map((file) -> new MarkdownFile(name(file), read(file))).toList();
	}

	static String name(Path file) {
		return ROOT.relativize(file).toString().replace('\\', '/');
	}

	static String read(String file) {
		return read(ROOT.resolve(file));
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the sources of a language, in all modules.
	 */
	static List<Path> sources(String suffix) {
		return modules().stream()
			.map((module) -> module.resolve("src"))
			.filter(Files::isDirectory)
			.flatMap((folder) -> list(folder, Integer.MAX_VALUE, suffix).stream())
			.toList();
	}

	/**
	 * Return all poms.
	 */
	static List<Path> poms() {
		return Stream.concat(Stream.of(ROOT), modules().stream()).map((folder) -> folder.resolve("pom.xml")).toList();
	}

	static List<Path> modules() {
		try (Stream<Path> folders = Files.list(ROOT)) {
			return folders.filter((folder) -> Files.exists(folder.resolve("pom.xml"))).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Path> list(Path folder, int depth, String suffix) {
		try (Stream<Path> files = Files.walk(folder, depth)) {
			return files.filter((file) -> file.toString().endsWith(suffix)).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
