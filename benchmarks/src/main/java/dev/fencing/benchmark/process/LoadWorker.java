package dev.fencing.benchmark.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What the main class of a {@link LoadProcess} says and hears.
 *
 * @since 0.1.0
 */
public final class LoadWorker {

	/**
	 * What is logged may come out there as well.
	 */
	private static final String MARK = "measured ";

	private static final String READY = "ready";

	private static final BufferedReader INSTRUCTIONS = new BufferedReader(
			new InputStreamReader(System.in, StandardCharsets.UTF_8));

	private LoadWorker() {
	}

	/**
	 * Report something.
	 * @param line the line; never null
	 */
	public static void report(Object line) {
		System.out.println(MARK + line);
	}

	/**
	 * Report to be ready, and wait until all others are.
	 * @return what to do then; never null
	 */
	public static String ready() {
		report(READY);
		return instruction();
	}

	/**
	 * Wait for the next instruction.
	 * @return what to do; never null
	 * @throws IllegalStateException if nobody is left who could tell
	 */
	public static String instruction() {
		try {
			String line = INSTRUCTIONS.readLine();
			if (line == null) {
				throw new IllegalStateException("The measurement was ended");
			}
			return line;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until a process is ready.
	 * @param process the process; never null
	 * @throws InterruptedException if the thread is interrupted
	 */
	static void awaitReady(LoadProcess process) throws InterruptedException {
		String line = process.hear();
		if (!line.equals(READY)) {
			throw new IllegalStateException("Not ready, but: " + line);
		}
	}

	/**
	 * Return what was reported with a line of the standard output.
	 * @param line the line; never null
	 * @return the report; never null
	 */
	static Optional<String> reported(String line) {
		return line.startsWith(MARK) ? Optional.of(line.substring(MARK.length())) : Optional.empty();
	}

}
