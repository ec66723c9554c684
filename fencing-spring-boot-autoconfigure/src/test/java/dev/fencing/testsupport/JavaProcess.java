package dev.fencing.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM with the class path of the tests, to which a test talks over its standard
 * streams, and which it can freeze and kill.
 */
public final class JavaProcess implements AutoCloseable {

	/** Begins each line that is meant for the test: all others are logs. */
	public static final String EVENT = "> ";

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final String name;

	private final Process process;

	private final Writer input;

	private final Consumer<String> events;

	private final List<String> log = new CopyOnWriteArrayList<>();

	private JavaProcess(String name, Process process, Consumer<String> events) {
		this.name = name;
		this.process = process;
		this.input = process.outputWriter(StandardCharsets.US_ASCII);
		this.events = events;
		Thread reader = new Thread(this::readOutput, "output of " + name);
		reader.setDaemon(true);
		reader.start();
		// One that is frozen does not notice that its test is gone
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
	}

	/**
	 * Start a small JVM.
	 * @param name what messages call it
	 * @param main the class to run
	 * @param arguments its arguments
	 * @param environment further variables
	 * @param events told of each line that the process means for the test, and of
	 * {@code ended} in the end
	 * @return the process, to be closed by the caller
	 */
	public static JavaProcess start(String name, Class<?> main, List<String> arguments, Map<String, String> environment,
			Consumer<String> events) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx160m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
				"-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
		builder.environment().putAll(environment);
		try {
			return new JavaProcess(name, builder.start(), events);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write a line to its standard input.
	 * @param line the line
	 */
	public void write(String line) {
		try {
			this.input.write(line + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(describe("does not listen"), ex);
		}
	}

	/**
	 * Return the lines of its log.
	 */
	public List<String> log() {
		return this.log;
	}

	public void freeze() {
		signal("STOP");
	}

	public void thaw() {
		signal("CONT");
	}

	/**
	 * Tell it to end, as who operates it does.
	 */
	public void terminate() {
		signal("TERM");
	}

	/**
	 * End it without a warning, and wait until it is gone.
	 */
	public void kill() {
		this.process.destroyForcibly();
		awaitExit();
	}

	/**
	 * Wait until it has ended by itself.
	 * @return its exit code
	 */
	public int awaitExit() {
		try {
			assertThat(this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as(() -> describe("does not end"))
				.isTrue();
			return this.process.exitValue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * End it by closing its input.
	 */
	@Override
	public void close() {
		try {
			if (this.process.isAlive()) {
				thaw();
			}
			this.input.close();
			awaitExit();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			this.process.destroyForcibly();
		}
	}

	/**
	 * Say what is wrong with it, with its log.
	 * @param what as in "does not answer"
	 * @return the message
	 */
	public String describe(String what) {
		return "%s %s; its log:%n%s".formatted(this.name, what, String.join("\n", this.log));
	}

	private void signal(String signal) {
		try {
			int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).inheritIO()
				.start()
				.waitFor();
			assertThat(exit).as(() -> describe("does not take SIG" + signal)).isZero();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void readOutput() {
		try (BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8)) {
			String line = output.readLine();
			while (line != null) {
				if (line.startsWith(EVENT)) {
					this.events.accept(line.substring(EVENT.length()));
				}
				else {
					this.log.add(line);
				}
				line = output.readLine();
			}
		}
		catch (IOException ex) {
			this.log.add("Output ended: " + ex);
		}
		finally {
			this.events.accept("ended");
		}
	}

}
