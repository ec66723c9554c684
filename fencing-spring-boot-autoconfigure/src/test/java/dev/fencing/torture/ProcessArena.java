package dev.fencing.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;
import dev.fencing.testsupport.TcpProxy;

/**
 * Workers in processes of their own, each with its own network to a real Redis and a real
 * PostgreSQL, all of which can be broken. The leases are short and really run out.
 */
final class ProcessArena extends AbstractArena {

	private static final int WORKERS = 3;

	private static final Duration LEASE_TIME = Duration.ofMillis(500);

	/**
	 * What {@link dev.fencing.testsupport.FencedStack} gives a registration.
	 */
	private static final Duration REGISTRATION_TIMEOUT = Duration.ofSeconds(5);

	/**
	 * How long to wait for workers that may be waiting themselves, in milliseconds.
	 */
	private static final long PATIENCE = 40;

	private final RedisPair redis;

	private final List<ProcessWorker> workers = new ArrayList<>();

	private final Map<Worker, SteppedClock> clocks = new HashMap<>();

	ProcessArena(Protection protection) {
		super(protection);
		try {
			this.redis = new RedisPair();
			closeLater(this.redis::close);
			for (int i = 0; i < WORKERS; i++) {
				SteppedClock clock = SteppedClock.ifInstalled().orElse(null);
				// Every third one goes without the clock floor
				ProcessWorker worker = new ProcessWorker("worker-" + i, TcpProxy.to(database().port()),
						TcpProxy.to(this.redis.port()),
						List.of(Long.toString(LEASE_TIME.toMillis()), Boolean.toString(i > 0), protection.name()),
						(clock != null) ? clock.environment() : Map.of(), progress());
				closeLater(worker::close);
				this.workers.add(worker);
				if (clock != null) {
					this.clocks.put(worker, clock);
				}
			}
			Awaitility.await()
				.atMost(Duration.ofMinutes(2))
				.until(() -> this.workers.stream().allMatch((worker) -> worker.state() == Worker.State.IDLE));
		}
		catch (RuntimeException | Error ex) {
			throw closedAfter(ex);
		}
	}

	@Override
	public List<ProcessWorker> workers() {
		return this.workers;
	}

	@Override
	public boolean hasReliableLeases() {
		return false;
	}

	@Override
	public List<String> forgottenLeases(List<Integer> accounts) {
		// They are so short that they may have run out
		return List.of();
	}

	@Override
	public String prepare(RandomGenerator random) {
		this.redis.save();
		return "processes";
	}

	@Override
	public List<Fault> faults() {
		List<Fault> faults = new ArrayList<>(List.of(Fault.FROZEN, Fault.FROZEN, Fault.FROZEN, Fault.FROZEN,
				Fault.LEASE_LOST, Fault.KILLED, Fault.REDIS_RESTARTED, Fault.REDIS_RESTARTED, Fault.FLUSHALL,
				Fault.FLUSHALL, Fault.COUNTER_DELETED, Fault.COUNTER_EXPIRED, Fault.EVICTED, Fault.EVICTED,
				Fault.FAILED_OVER, Fault.FAILED_OVER, Fault.REDIS_CUT, Fault.REDIS_CUT, Fault.DATABASE_CUT,
				Fault.BOTH_CUT, Fault.SESSION_TERMINATED, Fault.ANSWER_LOST, Fault.COMMIT_LOST, Fault.PACKETS_DELAYED));
		if (!this.clocks.isEmpty()) {
			faults.add(Fault.CLOCK_STEPPED);
		}
		return faults;
	}

	@Override
	public @Nullable Runnable inject(Fault fault, Worker victim, RandomGenerator random) {
		ProcessWorker worker = (ProcessWorker) victim;
		return switch (fault) {
			case FROZEN -> {
				worker.process().freeze();
				awaitLoss(worker);
				yield worker.process()::thaw;
			}
			case KILLED -> Faults.over(worker::kill);
			case LEASE_LOST -> Faults.over(() -> this.redis.redis().del(leases(worker)));
			case FLUSHALL -> Faults.over(() -> this.redis.redis().flushall());
			case COUNTER_DELETED -> Faults.over(() -> this.redis.redis().del(COUNTER));
			case COUNTER_EXPIRED -> Faults.over(() -> this.redis.redis().pexpire(COUNTER, 0));
			case REDIS_RESTARTED -> Faults.over(this.redis::restartWithOlderData);
			case EVICTED -> this.redis.evictAll();
			case FAILED_OVER -> failOver(worker, random.nextBoolean());
			case REDIS_CUT -> cut(worker, worker.redis());
			case DATABASE_CUT -> cut(worker, worker.database());
			case BOTH_CUT -> cut(worker, worker.redis(), worker.database());
			case SESSION_TERMINATED -> database().terminate(worker.name()) ? Faults.OVER : null;
			case ANSWER_LOST -> loseAnswer(worker);
			case COMMIT_LOST -> loseCommit(worker);
			case PACKETS_DELAYED -> delay(worker);
			case CLOCK_STEPPED -> {
				SteppedClock clock = this.clocks.get(worker);
				clock.step(random.nextBoolean() ? "+3600" : "-3600");
				yield () -> clock.step("+0");
			}
			default -> null;
		};
	}

	/**
	 * Promote the replica, which has not got what this schedule has written. One that is
	 * left behind goes on with the old primary until that follows the new one.
	 */
	private Runnable failOver(ProcessWorker leftBehind, boolean leaveBehind) {
		this.redis.holdReplica();
		this.redis.redis().del(leases(leftBehind));
		this.redis.promoteReplica();
		for (ProcessWorker worker : this.workers) {
			if (worker != leftBehind || !leaveBehind) {
				redirect(worker);
			}
		}
		return () -> {
			this.redis.demote();
			redirect(leftBehind);
		};
	}

	private void redirect(ProcessWorker worker) {
		worker.redis().leadTo(this.redis.port());
		worker.redis().cut();
		worker.redis().restore();
	}

	/**
	 * Cut networks of a worker, and wait until that has cost it its lease.
	 */
	private Runnable cut(ProcessWorker worker, TcpProxy... networks) {
		for (TcpProxy network : networks) {
			network.cut();
		}
		if (networks[0] == worker.redis()) {
			awaitLoss(worker);
		}
		return () -> {
			for (TcpProxy network : networks) {
				network.restore();
			}
		};
	}

	private Runnable delay(ProcessWorker worker) {
		worker.redis().latency(LEASE_TIME.dividedBy(2));
		worker.database().latency(Duration.ofMillis(20));
		return () -> {
			worker.redis().latency(Duration.ZERO);
			worker.database().latency(Duration.ZERO);
		};
	}

	/**
	 * Let a commit be done, and cut the connection before its answer comes.
	 */
	private @Nullable Runnable loseAnswer(ProcessWorker worker) {
		Operation operation = bringToItsCommit(worker);
		if (operation == null) {
			return null;
		}
		int before = accounts().applied(operation);
		worker.database().hold(TcpProxy.Direction.REPLIES);
		worker.goOn();
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.pollInterval(Duration.ofMillis(2))
			.until(() -> accounts().applied(operation) > before);
		worker.database().cut();
		worker.database().letGo(TcpProxy.Direction.REPLIES);
		return worker.database()::restore;
	}

	/**
	 * Cut the connection before a commit has come to the database.
	 */
	private @Nullable Runnable loseCommit(ProcessWorker worker) {
		if (bringToItsCommit(worker) == null) {
			return null;
		}
		worker.database().hold(TcpProxy.Direction.REQUESTS);
		worker.goOn();
		worker.database().awaitHeld(TcpProxy.Direction.REQUESTS, "COMMIT");
		worker.database().cut();
		worker.database().letGo(TcpProxy.Direction.REQUESTS);
		return worker.database()::restore;
	}

	private @Nullable Operation bringToItsCommit(ProcessWorker worker) {
		while (worker.stop() != null && worker.stop() != Stop.GUARDED) {
			if (!worker.stop().isAtWork()) {
				return null;
			}
			worker.goOn();
			settle();
		}
		return (worker.stop() == Stop.GUARDED) ? worker.operation() : null;
	}

	/**
	 * Wait until nobody has a worker's lease, or another one has it.
	 */
	private void awaitLoss(ProcessWorker worker) {
		String[] leases = leases(worker);
		List<String> before = values(leases);
		Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(5)).until(() -> {
			List<String> now = values(leases);
			return now.stream().noneMatch((value) -> !value.isEmpty() && before.contains(value));
		});
	}

	private List<String> values(String[] keys) {
		return this.redis.redis().mget(keys).stream().map((value) -> value.getValueOrElse("")).toList();
	}

	private static String[] leases(Worker worker) {
		Operation operation = worker.operation();
		return (operation == null) ? new String[] { "none" }
				: operation.accounts().stream().map(AbstractArena::leaseKey).toArray(String[]::new);
	}

	@Override
	public void settle() {
		long start = System.nanoTime();
		while (true) {
			long seen = progress().version();
			long running = running();
			if (running == 0) {
				return;
			}
			boolean changed = progress().awaitChange(seen, 5);
			boolean longEnough = System.nanoTime() - start > Duration.ofMillis(PATIENCE).toNanos();
			if (!changed && (longEnough || database().blocked() >= running)) {
				return;
			}
		}
	}

	@Override
	public void calm(List<Integer> accounts) {
		// Faults end by themselves, and leases run out
	}

	@Override
	public Duration recoveryTime() {
		return LEASE_TIME.plus(REGISTRATION_TIMEOUT);
	}

	@Override
	public List<Rejection> takeRejections() {
		return this.workers.stream().flatMap((worker) -> worker.takeRejections().stream()).toList();
	}

	boolean countsAgree() {
		return this.workers.stream().allMatch(ProcessWorker::countsAgree);
	}

}
