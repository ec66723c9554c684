package dev.fencing.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.Rejection;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;
import dev.fencing.testsupport.LyingLeaseProvider;
import dev.fencing.testsupport.RedisTestServer;

/**
 * Workers on threads of this process, which stop wherever the schedule wants them to, on
 * a real Redis and a real PostgreSQL. A schedule gets leases that are honest, with or
 * without the clock floor, or that are granted to everybody under any number.
 */
final class LocalArena extends AbstractArena {

	private static final int WORKERS = 3;

	private static final String NAMESPACE = "fencing";

	private static final String LIES = "lies";

	private static final String CONNECTION_FAILURE = "08006";

	private static final List<Fault> FAULTS = List.of(Fault.LEASE_LOST, Fault.LEASE_LOST, Fault.LEASE_LOST,
			Fault.LEASE_LOST, Fault.LEASE_LOST, Fault.LEASE_LOST, Fault.FLUSHALL, Fault.FLUSHALL, Fault.COUNTER_DELETED,
			Fault.COUNTER_EXPIRED, Fault.COUNTER_LOWERED, Fault.COUNTER_LOWERED, Fault.SESSION_TERMINATED,
			Fault.SESSION_TERMINATED, Fault.ANSWER_LOST, Fault.COMMIT_LOST, Fault.COMMIT_LATE, Fault.COMMIT_LATE,
			Fault.COMMIT_LATE, Fault.REQUEST_RESENT);

	private final RedisCommands<String, String> redis;

	private final Random lies = new Random();

	private final List<Mode> modes = new ArrayList<>();

	private Mode mode;

	LocalArena(Protection protection) {
		super(protection);
		try {
			RedisTestServer server = RedisTestServer.started();
			closeLater(server::close);
			RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
			closeLater(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
			this.redis = client.connect().sync();
			LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", server.port());
			connections.start();
			closeLater(connections::destroy);
			this.modes.add(mode("clock floor", redis(connections, true)));
			this.modes.add(mode("no clock floor", redis(connections, false)));
			this.modes.add(mode(LIES, new LyingLeaseProvider(this.lies::nextInt)));
			this.mode = this.modes.get(0);
		}
		catch (RuntimeException | Error ex) {
			throw closedAfter(ex);
		}
	}

	private LeaseProvider redis(LettuceConnectionFactory connections, boolean clockFloor) {
		RedisLeaseProvider provider = new RedisLeaseProvider(connections,
				new RedisLeaseSettings(NAMESPACE, clockFloor));
		closeLater(provider::close);
		return provider;
	}

	private Mode mode(String name, LeaseProvider provider) {
		List<LocalWorker> workers = IntStream.range(0, WORKERS)
			.mapToObj((i) -> new LocalWorker("%s-%d".formatted(name.replace(' ', '-'), i),
					DurablePostgres.url(database().port()), provider, protection(), progress()))
			.toList();
		workers.forEach((worker) -> closeLater(worker::close));
		return new Mode(name, workers);
	}

	@Override
	public List<LocalWorker> workers() {
		return this.mode.workers();
	}

	@Override
	public boolean hasReliableLeases() {
		return !this.mode.name().equals(LIES);
	}

	/**
	 * Leases are long: one is left only if its owner could not know whether its commit is
	 * under way, or failed.
	 */
	@Override
	public List<String> forgottenLeases(List<Integer> accounts) {
		List<String> forgotten = new ArrayList<>();
		for (Integer account : accounts) {
			String lease = this.redis.get(leaseKey(account));
			if (lease != null) {
				Outcome outcome = outcomeOf(lease.substring(lease.indexOf(':') + 1));
				if (outcome != Outcome.UNKNOWN && outcome != Outcome.FAILED) {
					forgotten.add("the lease %s on account %d is left by an owner that was %s".formatted(lease, account,
							outcome));
				}
			}
		}
		return forgotten;
	}

	private @Nullable Outcome outcomeOf(String owner) {
		return workers().stream()
			.map((worker) -> worker.outcomeOf(owner))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	@Override
	public String prepare(RandomGenerator random) {
		this.mode = this.modes.get(random.nextInt(this.modes.size()));
		this.lies.setSeed(random.nextLong());
		return this.mode.name();
	}

	@Override
	public List<Fault> faults() {
		return FAULTS;
	}

	@Override
	public @Nullable Runnable inject(Fault fault, Worker victim, RandomGenerator random) {
		LocalWorker worker = (LocalWorker) victim;
		return switch (fault) {
			case LEASE_LOST -> {
				letLeasesRunOut(victim.operation().accounts());
				yield Faults.OVER;
			}
			case FLUSHALL -> Faults.over(this.redis::flushall);
			case COUNTER_DELETED -> Faults.over(() -> this.redis.del(COUNTER));
			case COUNTER_EXPIRED -> Faults.over(() -> this.redis.pexpire(COUNTER, 0));
			case COUNTER_LOWERED -> lowerCounter(random.nextBoolean() ? 1 + random.nextInt(3) : 1_000_000);
			case SESSION_TERMINATED -> database().terminate(name(worker)) ? Faults.OVER : null;
			case ANSWER_LOST -> Faults.over(() -> worker.commits().failNext(true, CONNECTION_FAILURE));
			case COMMIT_LOST -> Faults.over(() -> worker.commits().failNext(false, CONNECTION_FAILURE));
			case COMMIT_LATE -> {
				worker.commits().delayNext();
				yield worker.commits()::landLateCommits;
			}
			case REQUEST_RESENT -> {
				worker.leases().resendNext();
				yield Faults.OVER;
			}
			default -> null;
		};
	}

	private String name(LocalWorker worker) {
		return "%s-%d".formatted(this.mode.name().replace(' ', '-'), workers().indexOf(worker));
	}

	private @Nullable Runnable lowerCounter(int by) {
		String counter = this.redis.get(COUNTER);
		if (counter == null) {
			return null;
		}
		this.redis.set(COUNTER, Long.toString(Math.max(0, Long.parseLong(counter) - by)));
		return Faults.OVER;
	}

	@Override
	public void settle() {
		Stall stall = new Stall(Stall.LONGEST);
		while (true) {
			long seen = progress().version();
			stall.check(seen);
			long running = running();
			if (running == 0) {
				return;
			}
			if (!progress().awaitChange(seen, 2) && database().blocked() >= running) {
				return;
			}
		}
	}

	@Override
	public void calm(List<Integer> accounts) {
		workers().forEach((worker) -> {
			worker.commits().forget();
			worker.leases().forget();
		});
		letLeasesRunOut(accounts);
	}

	private void letLeasesRunOut(List<Integer> accounts) {
		this.redis.del(accounts.stream().map(AbstractArena::leaseKey).toArray(String[]::new));
	}

	@Override
	public Duration recoveryTime() {
		return Duration.ofSeconds(5);
	}

	@Override
	public List<Rejection> takeRejections() {
		return workers().stream().flatMap((worker) -> worker.rejections().take().stream()).toList();
	}

	/**
	 * Return whether meters, endpoint and listeners tell of the same rejections.
	 */
	boolean countsAgree() {
		return this.modes.stream()
			.flatMap((each) -> each.workers().stream())
			.allMatch((worker) -> worker.rejections().agree());
	}

	private record Mode(String name, List<LocalWorker> workers) {
	}

}
