package dev.fencing.benchmark.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Another process with a main class of this module: a {@link LoadWorker}. It is told what
 * to do on its standard input, and reports on its standard output.
 *
 * @since 0.1.0
 */
public final class LoadProcess implements AutoCloseable {

	private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

	private final Process process;

	private final PrintStream instructions;

	/**
	 * The lines that it has reported, and nothing after the last one.
	 */
	private final BlockingQueue<Optional<String>> reports = new LinkedBlockingQueue<>();

	private LoadProcess(Process process) {
		this.process = process;
		this.instructions = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
		Thread reader = new Thread(this::read, "load-process-" + process.pid());
		reader.setDaemon(true);
		reader.start();
	}

	/**
	 * Start a process.
	 * @param mainClass its main class; never null
	 * @param jvmArguments arguments for its JVM; never null
	 * @param arguments arguments for its main class; never null
	 * @return the process, to be closed by the caller; never null
	 * @throws IOException if it cannot be started
	 */
	public static LoadProcess start(Class<?> mainClass, List<String> jvmArguments, Object... arguments)
			throws IOException {
		return start(mainClass, System.getProperty("java.class.path"), jvmArguments, arguments);
	}

	/**
	 * Start a process with another class path than this one's.
	 * @param mainClass its main class; never null
	 * @param classPath its class path; never null
	 * @param jvmArguments arguments for its JVM; never null
	 * @param arguments arguments for its main class; never null
	 * @return the process, to be closed by the caller; never null
	 * @throws IOException if it cannot be started
	 */
	public static LoadProcess start(Class<?> mainClass, String classPath, List<String> jvmArguments,
			Object... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(jvmArguments);
		command.addAll(List.of("-cp", classPath, mainClass.getName()));
		for (Object argument : arguments) {
			command.add(argument.toString());
		}
		return new LoadProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
	}

	private void read() {
		try (BufferedReader reader = this.process.inputReader(StandardCharsets.UTF_8)) {
			String line = reader.readLine();
			while (line != null) {
				LoadWorker.reported(line).ifPresent((report) -> this.reports.add(Optional.of(report)));
				line = reader.readLine();
			}
		}
		catch (IOException ex) {
			// Whoever kills it closes its output as well
		}
		finally {
			this.reports.add(Optional.empty());
		}
	}

	/**
	 * Tell it what to do next.
	 * @param instruction the instruction; never null
	 */
	public void tell(Object instruction) {
		this.instructions.println(instruction);
	}

	/**
	 * Wait for what it reports next.
	 * @return the line; never null
	 * @throws IllegalStateException if it has ended, or says nothing for minutes
	 * @throws InterruptedException if the thread is interrupted
	 */
	public String hear() throws InterruptedException {
		return next()
			.orElseThrow(() -> new IllegalStateException("A process of the measurement has ended before its time"));
	}

	/**
	 * Wait for its end.
	 * @return what else it has reported; never null
	 * @throws IllegalStateException if it has failed, or says nothing for minutes
	 * @throws InterruptedException if the thread is interrupted
	 */
	public List<String> lines() throws InterruptedException {
		List<String> lines = new ArrayList<>();
		Optional<String> line = next();
		while (line.isPresent()) {
			lines.add(line.get());
			line = next();
		}
		int exitCode = this.process.waitFor();
		if (exitCode != 0) {
			throw new IllegalStateException("A process of the measurement ended with " + exitCode);
		}
		return lines;
	}

	private Optional<String> next() throws InterruptedException {
		Optional<String> line = this.reports.poll(LONGEST_SILENCE.toSeconds(), TimeUnit.SECONDS);
		if (line == null) {
			throw new IllegalStateException("A process of the measurement says nothing");
		}
		return line;
	}

	/**
	 * Kill it, so that it cannot do anything more, and wait until it is gone. Does
	 * nothing if it has ended.
	 */
	@Override
	public void close() {
		this.process.destroyForcibly();
		try {
			this.process.waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
