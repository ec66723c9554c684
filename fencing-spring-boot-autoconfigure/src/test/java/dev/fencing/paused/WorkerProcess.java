package dev.fencing.paused;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.fencing.testsupport.JavaProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker in a process of its own, which can be frozen.
 */
final class WorkerProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** On a busy machine two applications may start for long. */
	private static final Duration PATIENCE_AT_START = Duration.ofMinutes(5);

	private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

	private final JavaProcess process;

	private @Nullable Actuator actuator;

	private boolean busy;

	private WorkerProcess(String name, List<String> arguments) {
		this.process = JavaProcess.start("Worker " + name, WorkerApplication.class, arguments, Map.of(),
				this.events::add);
	}

	/**
	 * Start a worker. It can be used when {@link #awaitReady()} has returned.
	 * @param name shown in rejections
	 * @param leaseTime how long its leases last unless it renews them
	 * @param properties further ones, as {@code name=value}
	 * @return the worker, to be closed by the caller
	 */
	static WorkerProcess start(String name, String leaseTime, List<String> properties) {
		List<String> arguments = new ArrayList<>();
		arguments.add("--fencing.instance-id=" + name);
		arguments.add("--fencing.lock.lease-time=" + leaseTime);
		properties.forEach((property) -> arguments.add("--" + property));
		return new WorkerProcess(name, arguments);
	}

	/**
	 * Wait until the worker has started.
	 */
	void awaitReady() {
		this.actuator = new Actuator(Integer.parseInt(await("ready", PATIENCE_AT_START)));
	}

	Actuator actuator() {
		assertThat(this.actuator).as(() -> this.process.describe("has not started")).isNotNull();
		return this.actuator;
	}

	/**
	 * Have the worker run a command.
	 * @param command what to do
	 */
	void send(String command) {
		this.busy = true;
		this.process.write(command);
	}

	/**
	 * Let a worker go on that has reached a pause. One that is frozen does so when it is
	 * thawed.
	 */
	void go() {
		this.process.write(WorkerConsole.GO);
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
		return this.process.log();
	}

	void freeze() {
		this.process.freeze();
	}

	void thaw() {
		this.process.thaw();
	}

	/**
	 * Tell the worker to end, as who operates it does.
	 */
	void terminate() {
		this.process.terminate();
	}

	/**
	 * Wait until the process has ended by itself.
	 * @return its exit code
	 */
	int awaitExit() {
		return this.process.awaitExit();
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
		this.process.close();
	}

	private String await(String what) {
		return await(what, PATIENCE);
	}

	private String await(String what, Duration patience) {
		String event = nextEvent(patience);
		assertThat(event).as(() -> this.process.describe("said something else")).startsWith(what + " ");
		return event.substring(what.length() + 1);
	}

	private String nextEvent(Duration patience) {
		String event = pollEvent(patience);
		assertThat(event).as(() -> this.process.describe("said nothing")).isNotNull();
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

}
