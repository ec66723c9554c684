package dev.fencing.lease;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Another process with a main class of this module, which writes what it has measured to
 * its standard output.
 */
final class LoadProcess {

	private static final String MARK = "measured ";

	private final Process process;

	private final Path output;

	private LoadProcess(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	static LoadProcess start(Class<?> mainClass, Object... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path"), mainClass.getName()));
		for (Object argument : arguments) {
			command.add(argument.toString());
		}
		Path output = Files.createTempFile("load", ".txt");
		output.toFile().deleteOnExit();
		return new LoadProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
			.redirectOutput(output.toFile())
			.start(), output);
	}

	/**
	 * Report a line, in the process itself.
	 */
	static void report(Object line) {
		System.out.println(MARK + line);
	}

	/**
	 * Wait for its end and return the lines that it has reported.
	 */
	List<String> lines() throws IOException, InterruptedException {
		int exitCode = this.process.waitFor();
		if (exitCode != 0) {
			throw new IllegalStateException("A process of the measurement ended with " + exitCode);
		}
		// What is logged comes out there as well
		return Files.readAllLines(this.output, StandardCharsets.UTF_8)
			.stream()
			.filter((line) -> line.startsWith(MARK))
			.map((line) -> line.substring(MARK.length()))
			.toList();
	}

}
