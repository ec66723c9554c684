package dev.fencing.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;
import dev.fencing.testsupport.JavaProcess;
import dev.fencing.testsupport.TcpProxy;

/**
 * A worker in a process of its own, with networks of its own to Redis and to the
 * database. When it is killed, another process takes its place.
 */
final class ProcessWorker implements Worker {

	private final String name;

	private final List<String> settings;

	private final Map<String, String> environment;

	private final Progress progress;

	private final TcpProxy database;

	private final TcpProxy redis;

	private final List<Rejection> rejections = new ArrayList<>();

	private boolean disagreed;

	private boolean ready;

	private State state = State.IDLE;

	private @Nullable Stop stop;

	private @Nullable Operation operation;

	private @Nullable Outcome outcome;

	private @Nullable RuntimeException failure;

	private JavaProcess process;

	private int processes;

	/**
	 * Start a worker.
	 * @param name its name
	 * @param database its way to the database, closed with it
	 * @param redis its way to Redis, closed with it
	 * @param settings the further arguments of {@link TortureProcess}
	 * @param environment further variables of its process
	 * @param progress told of what it comes to
	 */
	ProcessWorker(String name, TcpProxy database, TcpProxy redis, List<String> settings,
			Map<String, String> environment, Progress progress) {
		this.name = name;
		this.database = database;
		this.redis = redis;
		this.settings = settings;
		this.environment = environment;
		this.progress = progress;
		this.process = start();
	}

	private JavaProcess start() {
		List<String> arguments = new ArrayList<>(
				List.of(this.name, Integer.toString(this.database.port()), Integer.toString(this.redis.port())));
		arguments.addAll(this.settings);
		int number = ++this.processes;
		return JavaProcess.start(this.name, TortureProcess.class, arguments, this.environment,
				(event) -> told(number, event));
	}

	String name() {
		return this.name;
	}

	TcpProxy database() {
		return this.database;
	}

	TcpProxy redis() {
		return this.redis;
	}

	JavaProcess process() {
		return this.process;
	}

	/**
	 * Kill the process. Its operation has ended: as failed, if its commit was not sent.
	 */
	synchronized void kill() {
		this.process.kill();
		boolean sent = this.state == State.RUNNING || this.stop == Stop.COMMITTED;
		this.ready = false;
		end(sent ? Outcome.UNKNOWN : Outcome.FAILED);
		this.process = start();
	}

	private synchronized void told(int number, String event) {
		if (number != this.processes) {
			return;
		}
		try {
			understand(event);
		}
		catch (RuntimeException ex) {
			// The scheduler asks for it: nobody sees what is thrown here
			this.failure = ex;
		}
		this.progress.changed();
	}

	private void understand(String event) {
		String[] words = event.split(" ", 3);
		switch (words[0]) {
			case "ready" -> this.ready = true;
			case "at" -> {
				this.stop = Stop.valueOf(words[1]);
				this.state = State.STOPPED;
			}
			case "rejected" -> this.rejections.add(RejectionText.parse(words[1]));
			case "done" -> {
				this.disagreed |= !words[2].equals(TortureProcess.AGREED);
				end(Outcome.valueOf(words[1]));
			}
			default -> throw new IllegalStateException(this.process.describe("said \"" + event + "\" by itself"));
		}
	}

	private void end(Outcome how) {
		this.outcome = how;
		this.stop = null;
		this.state = State.ENDED;
	}

	@Override
	public synchronized void begin(Operation next) {
		this.operation = next;
		this.state = State.RUNNING;
		this.process.write(next.toText());
	}

	@Override
	public synchronized void goOn() {
		this.stop = null;
		this.state = State.RUNNING;
		this.process.write(TortureProcess.GO);
	}

	@Override
	public synchronized State state() {
		requireHealthy();
		return (this.state == State.IDLE && !this.ready) ? State.RUNNING : this.state;
	}

	@Override
	public synchronized @Nullable Stop stop() {
		requireHealthy();
		return this.stop;
	}

	private void requireHealthy() {
		if (this.failure != null) {
			throw new IllegalStateException(this.failure.getMessage(), this.failure);
		}
	}

	@Override
	public synchronized @Nullable Operation operation() {
		return this.operation;
	}

	@Override
	public synchronized Outcome takeOutcome() {
		Outcome taken = Objects.requireNonNull(this.outcome);
		this.outcome = null;
		this.operation = null;
		this.state = State.IDLE;
		return taken;
	}

	synchronized List<Rejection> takeRejections() {
		List<Rejection> taken = List.copyOf(this.rejections);
		this.rejections.clear();
		return taken;
	}

	/**
	 * Return whether the meters and the endpoint of every process tell of what its
	 * listeners were told.
	 */
	synchronized boolean countsAgree() {
		return !this.disagreed;
	}

	@Override
	public void close() {
		synchronized (this) {
			// What it says from now on is of no interest
			this.processes++;
		}
		this.process.kill();
		this.database.close();
		this.redis.close();
	}

}
