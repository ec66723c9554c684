package dev.fencing.torture;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.FaultyCommits;

/**
 * A worker on a thread of this process, with an instance of its own.
 */
final class LocalWorker implements Worker, Stops {

	private final ExecutorService thread = Executors.newSingleThreadExecutor();

	private final Semaphore mayGoOn = new Semaphore(0);

	private final Progress progress;

	private final FaultyCommits commits;

	private final SteppedLeases leases;

	private final Instance instance;

	private final Owner owner;

	private volatile State state = State.IDLE;

	private volatile @Nullable Stop stop;

	private volatile @Nullable Operation operation;

	private volatile @Nullable Outcome outcome;

	private volatile @Nullable Throwable failure;

	private final Map<String, Outcome> endings = new ConcurrentHashMap<>();

	LocalWorker(String name, String url, LeaseProvider provider, Protection protection, Progress progress) {
		this.progress = progress;
		DriverManagerDataSource target = new DriverManagerDataSource(url + "?ApplicationName=" + name, "postgres",
				"postgres");
		this.commits = new FaultyCommits(target);
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(this.commits);
		pool.setMaximumPoolSize(2);
		this.leases = new SteppedLeases(provider, this);
		this.instance = new Instance(pool, this.leases, protection);
		this.owner = new Owner(this.instance,
				LockRequest.of(Operation.LOCK).leaseTime(Duration.ofMinutes(5)).waitTime(Duration.ZERO), this);
	}

	FaultyCommits commits() {
		return this.commits;
	}

	SteppedLeases leases() {
		return this.leases;
	}

	Rejections rejections() {
		return this.instance.rejections();
	}

	@Override
	public void begin(Operation next) {
		this.operation = next;
		this.state = State.RUNNING;
		this.thread.execute(() -> {
			try {
				Outcome how = this.owner.run(next, this.instance.body());
				this.leases.takeOwners().forEach((owner) -> this.endings.put(owner, how));
				this.outcome = how;
				this.state = State.ENDED;
			}
			catch (Throwable ex) {
				// The scheduler asks for it: nobody sees what is thrown here
				this.failure = ex;
			}
			this.progress.changed();
		});
	}

	/**
	 * Return how an operation has ended.
	 * @param owner the nonce of a lease that it had
	 * @return the outcome, or null if it was none of this worker's
	 */
	@Nullable Outcome outcomeOf(String owner) {
		return this.endings.get(owner);
	}

	@Override
	public void at(Stop reached) {
		this.stop = reached;
		this.state = State.STOPPED;
		this.progress.changed();
		this.mayGoOn.acquireUninterruptibly();
	}

	@Override
	public void goOn() {
		this.state = State.RUNNING;
		this.mayGoOn.release();
	}

	@Override
	public State state() {
		if (this.failure != null) {
			throw new IllegalStateException("A worker has failed", this.failure);
		}
		return this.state;
	}

	@Override
	public @Nullable Stop stop() {
		return (this.state == State.STOPPED) ? this.stop : null;
	}

	@Override
	public @Nullable Operation operation() {
		return this.operation;
	}

	@Override
	public Outcome takeOutcome() {
		Outcome taken = Objects.requireNonNull(this.outcome);
		this.outcome = null;
		this.operation = null;
		this.state = State.IDLE;
		return taken;
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		this.instance.close();
	}

}
