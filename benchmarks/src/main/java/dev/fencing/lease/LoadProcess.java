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
 *
 * @since 0.1.0
 */
public final class LoadProcess {

	private static final String MARK = "measured ";

	private final Process process;

	private final Path output;

	private LoadProcess(Process process, Path output) {
		this.process = process;
		this.output = output;
	}

	static LoadProcess start(Class<?> mainClass, Object... arguments) throws IOException {
		return start(List.of(), mainClass, arguments);
	}

	/**
	 * Start a process.
	 * @param options more options of its JVM; never null
	 * @param mainClass the main class; never null
	 * @param arguments the arguments, as their texts; never null
	 * @return the process; never null
	 * @throws IOException if it does not start
	 */
	public static LoadProcess start(List<String> options, Class<?> mainClass, Object... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
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
	 * @param line the line; never null
	 */
	public static void report(Object line) {
		System.out.println(MARK + line);
	}

	/**
	 * Wait for its end and return the lines that it has reported.
	 * @return the lines; never null
	 * @throws IOException if its output cannot be read
	 * @throws InterruptedException if the current thread is interrupted meanwhile
	 */
	public List<String> lines() throws IOException, InterruptedException {
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
