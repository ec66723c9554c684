package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.RenewalAnswer;

/**
 * Has replicas acknowledge leases that were granted. WAIT blocks the connection that it
 * is sent on, and counts for what was written on it: so there is a connection for it
 * alone, on which the leases are renewed, by which it also shows that they are there.
 * Replicas take in all in one order, so one WAIT is enough for all leases that were
 * granted before it; those that are granted while it blocks share the next one.
 */
final class ReplicaAcknowledgements implements AutoCloseable {

	/**
	 * How much longer than Redis may wait the answer may take, before the connection is
	 * given up.
	 */
	private static final Duration LATE = Duration.ofSeconds(5);

	private final int required;

	private final Duration timeout;

	private final Function<List<LeaseExtension>, ScriptRequest> renewal;

	private final RedisFailures failures;

	private final WaitConnection connection;

	private final ReentrantLock lock = new ReentrantLock();

	private List<Granted> next = new ArrayList<>();

	private boolean asking;

	private boolean closed;

	/**
	 * Create them; nothing is opened before the first lease.
	 * @param factory has the client
	 * @param failures says what failed
	 * @param settings how many replicas have to acknowledge a lease, and in what time
	 * @param renewal makes the request that renews leases
	 */
	ReplicaAcknowledgements(LettuceConnectionFactory factory, RedisFailures failures, RedisLeaseSettings settings,
			Function<List<LeaseExtension>, ScriptRequest> renewal) {
		this.required = settings.replicaAcknowledgements();
		this.timeout = settings.replicaTimeout();
		this.renewal = renewal;
		this.failures = failures;
		this.connection = new WaitConnection(factory, this.timeout.plus(LATE));
	}

	/**
	 * Return whether replicas have to acknowledge leases at all.
	 */
	boolean areRequired() {
		return this.required > 0;
	}

	/**
	 * Return when the answer must be there, where the lease itself was to be granted
	 * within a time. Who comes while a WAIT is under way waits for its end, and then for
	 * another one.
	 */
	long deadline(Duration timeout) {
		return System.nanoTime() + timeout.toNanos() + 2 * this.timeout.toNanos();
	}

	/**
	 * Wait until enough replicas have a lease that was granted.
	 * @param lease the lease, and how long it lasts
	 * @param deadline when to give up
	 * @throws LeaseProviderException if not enough of them have it, or if that is not
	 * known: the lease has then to be given back
	 */
	void await(LeaseExtension lease, long deadline) {
		Granted granted = new Granted(lease);
		enqueue(granted);
		try {
			long count = granted.count.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
			if (count < this.required) {
				throw tooFew(lease, count);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw failed(lease, ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw failed(lease, ex);
		}
		finally {
			granted.count.cancel(false);
		}
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
		this.connection.close();
	}

	private void enqueue(Granted granted) {
		boolean first;
		this.lock.lock();
		try {
			this.next.add(granted);
			first = !this.asking;
			this.asking = true;
		}
		finally {
			this.lock.unlock();
		}
		if (first) {
			askForNext();
		}
	}

	private void askForNext() {
		List<Granted> leases = next();
		if (leases.isEmpty()) {
			return;
		}
		// Nothing is sent by a connection that opens when nobody waits for it any more
		CompletionStage<?> asked = this.connection.get()
			.thenCompose((opened) -> ask(opened, leases))
			.orTimeout(this.timeout.plus(LATE).toNanos(), TimeUnit.NANOSECONDS);
		asked.whenComplete((ignored, failure) -> {
			if (failure != null) {
				leases.forEach((lease) -> lease.count.completeExceptionally(failure));
				// What has not been answered would be in the way of all that follows
				this.connection.giveUp();
			}
			askForNext();
		});
	}

	/**
	 * Take those who wait, as far as they have not given up.
	 */
	private List<Granted> next() {
		this.lock.lock();
		try {
			List<Granted> leases = this.next;
			this.next = new ArrayList<>();
			leases.removeIf((lease) -> lease.count.isDone());
			if (this.closed) {
				leases.forEach((lease) -> lease.count
					.completeExceptionally(new IllegalStateException("The lease provider is closed")));
				leases = List.of();
			}
			this.asking = !leases.isEmpty();
			return leases;
		}
		finally {
			this.lock.unlock();
		}
	}

	private CompletableFuture<@Nullable Void> ask(WaitConnection.Opened opened, List<Granted> leases) {
		List<LeaseExtension> extensions = leases.stream().map(Granted::lease).toList();
		ScriptRequest request = this.renewal.apply(extensions);
		RedisAsyncCommands<byte[], byte[]> commands = opened.commands();
		int breaks = opened.breaks();
		// With its text: what is sent again comes too late, behind WAIT
		CompletableFuture<List<Object>> renewed = commands
			.<List<Object>>eval(request.script().text(), ScriptOutputType.MULTI, request.keyBytes(),
					request.argumentBytes())
			.toCompletableFuture();
		CompletableFuture<Long> count = commands.waitForReplication(this.required, this.timeout.toMillis())
			.toCompletableFuture();
		return renewed.thenAcceptBoth(count, (reply, acknowledged) -> {
			if (opened.breaks() != breaks) {
				// Those that were counted may be the replicas of another server
				throw new CompletionException(
						new IllegalStateException("The connection broke before replicas acknowledged it"));
			}
			List<RenewalAnswer> answers = RenewalReply.answers(extensions, ScriptCall.texts(reply));
			for (int i = 0; i < answers.size(); i++) {
				leases.get(i).answer(answers.get(i), acknowledged);
			}
		});
	}

	private LeaseProviderException tooFew(LeaseExtension lease, long count) {
		return new LeaseProviderException("""
				%d of %d replicas acknowledged the lease on '%s' within %s, so that it was given back. See whether \
				the replicas are connected and keep up, or change fencing.redis.replica-acknowledgements or \
				replica-timeout""".formatted(count, this.required, lease.lease().resources().get(0), this.timeout));
	}

	private LeaseProviderException failed(LeaseExtension lease, Exception failure) {
		Throwable cause = (failure instanceof ExecutionException) ? failure.getCause() : null;
		return this.failures.of("have the lease on '%s' acknowledged by %d replicas"
			.formatted(lease.lease().resources().get(0), this.required), (cause != null) ? cause : failure);
	}

	/**
	 * A lease that was granted, and how many replicas have it.
	 */
	private record Granted(LeaseExtension lease, CompletableFuture<Long> count) {

		Granted(LeaseExtension lease) {
			this(lease, new CompletableFuture<>());
		}

		void answer(RenewalAnswer renewed, long acknowledged) {
			if (renewed instanceof RenewalAnswer.Renewed) {
				this.count.complete(acknowledged);
			}
			else {
				this.count.completeExceptionally(new IllegalStateException("It was gone by then"));
			}
		}

	}

}
