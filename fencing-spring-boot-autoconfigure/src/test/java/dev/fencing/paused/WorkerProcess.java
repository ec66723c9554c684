package dev.fencing.paused;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker in a process of its own, which can be frozen.
 */
final class WorkerProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** On a busy machine two applications may start for long. */
	private static final Duration PATIENCE_AT_START = Duration.ofMinutes(5);

	private final String name;

	private final Process process;

	private final Writer input;

	private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

	private final List<String> log = new CopyOnWriteArrayList<>();

	private @Nullable Actuator actuator;

	private boolean busy;

	private WorkerProcess(String name, Process process) {
		this.name = name;
		this.process = process;
		this.input = process.outputWriter(StandardCharsets.US_ASCII);
		Thread reader = new Thread(this::readOutput, "output of worker " + name);
		reader.setDaemon(true);
		reader.start();
		// One that is frozen does not notice that its test is gone
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
	}

	/**
	 * Start a worker. It can be used when {@link #awaitReady()} has returned.
	 * @param name shown in rejections
	 * @param leaseTime how long its leases last unless it renews them
	 * @param properties further ones, as {@code name=value}
	 * @return the worker, to be closed by the caller
	 */
	static WorkerProcess start(String name, String leaseTime, List<String> properties) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx160m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
				"-cp", System.getProperty("java.class.path"), WorkerApplication.class.getName()));
		command.add("--fencing.instance-id=" + name);
		command.add("--fencing.lock.lease-time=" + leaseTime);
		properties.forEach((property) -> command.add("--" + property));
		try {
			return new WorkerProcess(name, new ProcessBuilder(command).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until the worker has started.
	 */
	void awaitReady() {
		this.actuator = new Actuator(Integer.parseInt(await("ready", PATIENCE_AT_START)));
	}

	Actuator actuator() {
		assertThat(this.actuator).as("Worker %s has started", this.name).isNotNull();
		return this.actuator;
	}

	/**
	 * Have the worker run a command.
	 * @param command what to do
	 */
	void send(String command) {
		this.busy = true;
		write(command);
	}

	/**
	 * Let a worker go on that has reached a pause. One that is frozen does so when it is
	 * thawed.
	 */
	void go() {
		write(WorkerConsole.GO);
	}

	/**
	 * Wait until the worker has come to a pause.
	 * @param point where
	 * @return the generation that it has
	 */
	long awaitPause(PausePoint point) {
		return Long.parseLong(await("at " + point));
	}

	/**
	 * Wait until the command has succeeded.
	 * @return the generation that it had
	 */
	long awaitDone() {
		return Long.parseLong(await("done"));
	}

	/**
	 * Wait until the command has failed.
	 * @return the class of the exception and its message
	 */
	String awaitFailure() {
		return await("failed");
	}

	/**
	 * Return whether the worker has said nothing that was not waited for.
	 */
	boolean isSilent() {
		return this.events.isEmpty();
	}

	/**
	 * Return the lines of the worker's log.
	 */
	List<String> log() {
		return this.log;
	}

	void freeze() {
		signal("STOP");
	}

	void thaw() {
		signal("CONT");
	}

	/**
	 * Tell the worker to end, as who operates it does.
	 */
	void terminate() {
		signal("TERM");
	}

	/**
	 * Wait until the process has ended by itself.
	 * @return its exit code
	 */
	int awaitExit() {
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
	 * Bring the worker, wherever a test has left it, to the end of its command.
	 */
	void settle() {
		thaw();
		while (this.busy) {
			go();
			nextEvent(PATIENCE);
		}
	}

	/**
	 * End the worker by closing its input.
	 */
	@Override
	public void close() {
		try {
			if (this.process.isAlive()) {
				thaw();
			}
			this.input.close();
			assertThat(this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("Worker %s ends", this.name)
				.isTrue();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.process.destroyForcibly();
		}
	}

	private void write(String line) {
		try {
			this.input.write(line + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(describe("does not listen"), ex);
		}
	}

	private String await(String what) {
		return await(what, PATIENCE);
	}

	private String await(String what, Duration patience) {
		String event = nextEvent(patience);
		assertThat(event).as(() -> describe("said something else")).startsWith(what + " ");
		return event.substring(what.length() + 1);
	}

	private String nextEvent(Duration patience) {
		String event = pollEvent(patience);
		assertThat(event).as(() -> describe("said nothing")).isNotNull();
		if (event.startsWith("done ") || event.startsWith("failed ")) {
			this.busy = false;
		}
		return event;
	}

	private @Nullable String pollEvent(Duration patience) {
		try {
			return this.events.poll(patience.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
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
				if (line.startsWith(WorkerConsole.EVENT)) {
					this.events.add(line.substring(WorkerConsole.EVENT.length()));
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
			this.events.add("ended");
		}
	}

	private String describe(String what) {
		return "Worker %s %s; its log:%n%s".formatted(this.name, what, String.join("\n", this.log));
	}

}
