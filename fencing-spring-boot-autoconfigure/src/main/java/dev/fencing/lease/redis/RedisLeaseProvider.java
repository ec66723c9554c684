package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.context.Phased;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

import dev.fencing.FencingTokens;
import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;

/**
 * A {@link LeaseProvider} that keeps leases in Redis (5.0 or later), through Lettuce. A
 * lease is the string {@code generation:nonce} with a time to live, under
 * <code>{namespace}:lease:resource</code>. All leases of a namespace are numbered by one
 * counter, <code>{namespace}:counter</code>. Every operation is one script and one round
 * trip.
 *
 * <p>
 * It sends over the shared native connection of the factory and opens none of its own,
 * unless sharing is switched off there: then it keeps one until {@link #close()}. The
 * stage that {@link #renew} returns ends on a thread of Lettuce, where nothing may block.
 *
 * @since 0.1.0
 */
public final class RedisLeaseProvider implements LeaseProvider, AutoCloseable, Phased {

	private static final String MAX_GENERATION = Long.toString(FencingTokens.MAX_GENERATION);

	/**
	 * The work is done by then, and the lease runs out by itself: a Redis that is away
	 * must not keep the caller from its result.
	 */
	private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

	private final LuaScript acquire = LuaScript.load("acquire");

	private final LuaScript renew = LuaScript.load("renew");

	private final LuaScript release = LuaScript.load("release");

	private final LuaScript heal = LuaScript.load("heal");

	private final LuaScript raise = LuaScript.load("raise");

	private final LuaScript find = LuaScript.load("find");

	private final LettuceConnectionFactory factory;

	private final ScriptExecutor executor;

	private final RedisKeys keys;

	private final String clockFloor;

	/**
	 * Create a provider. It connects on first use.
	 * @param factory gives the connection, and has to be started by then; never null
	 * @param settings the namespace and the clock floor; never null
	 */
	public RedisLeaseProvider(LettuceConnectionFactory factory, RedisLeaseSettings settings) {
		Assert.notNull(factory, "The connection factory must not be null");
		Assert.notNull(settings, "The settings must not be null");
		this.factory = factory;
		this.executor = new ScriptExecutor(factory);
		this.keys = new RedisKeys(settings.namespace());
		this.clockFloor = settings.clockFloor() ? "1" : "0";
	}

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		String resource = request.resource();
		List<String> reply = this.executor.runOrUndo(this.acquire.on(this.keys.counterAndLease(resource),
				request.nonce(), millis(request.leaseTime()), MAX_GENERATION, this.clockFloor), request.timeout(),
				releaseOf(resource, request.nonce()));
		return switch (reply.get(0)) {
			case "granted" -> new LeaseAttempt.Granted(lease(resource, reply.get(1), request.nonce()));
			case "held" -> new LeaseAttempt.Held(duration(reply.get(1)));
			default -> throw unusable(resource, reply);
		};
	}

	@Override
	public CompletionStage<Boolean> renew(Lease lease, Duration leaseTime) {
		String value = lease.generation() + ":" + lease.nonce();
		// An answer that comes later than that is of no use to anybody
		return this.executor.send(this.renew.on(leaseKey(lease.resource()), value, millis(leaseTime)), leaseTime)
			.thenApply((reply) -> reply.get(0).equals("renewed"));
	}

	@Override
	public boolean release(Lease lease) {
		return this.executor.run(releaseOf(lease.resource(), lease.nonce()), LONGEST_RELEASE).get(0).equals("released");
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		List<String> reply = this.executor.run(this.heal.on(this.keys.counterAndLease(lease.resource()), lease.nonce(),
				Long.toString(lease.generation()), Long.toString(aboveGeneration), MAX_GENERATION, this.clockFloor));
		return switch (reply.get(0)) {
			case "healed" -> lease(lease.resource(), reply.get(1), lease.nonce());
			case "lost" -> null;
			default -> throw unusable(lease.resource(), reply);
		};
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		List<String> reply = this.executor
			.run(this.raise.on(List.of(this.keys.counter()), Long.toString(aboveGeneration), MAX_GENERATION));
		if (!reply.get(0).equals("raised")) {
			throw unusable(resource, reply);
		}
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		List<String> reply = this.executor.run(this.find.on(leaseKey(resource)));
		return switch (reply.get(0)) {
			case "held" -> new LeaseState(lease(resource, reply.get(1), reply.get(2)), duration(reply.get(3)));
			case "free" -> null;
			default -> throw unusable(resource, reply);
		};
	}

	/**
	 * Return the phase in which the connection factory starts and stops: leases that are
	 * to be given back must have been by then.
	 */
	@Override
	public int getPhase() {
		return this.factory.getPhase();
	}

	/**
	 * Give back the connection, where it is not the shared one.
	 */
	@Override
	public void close() {
		this.executor.close();
	}

	private ScriptRequest releaseOf(String resource, String nonce) {
		return this.release.on(leaseKey(resource), nonce);
	}

	private List<String> leaseKey(String resource) {
		return List.of(this.keys.lease(resource));
	}

	/**
	 * Round up: a lease lasts in Redis at least as long as its owner believes.
	 */
	private static String millis(Duration duration) {
		return Long.toString(duration.plusNanos(999_999).toMillis());
	}

	private static Duration duration(String millis) {
		return Duration.ofMillis(Long.parseLong(millis));
	}

	private Lease lease(String resource, String generation, String nonce) {
		// Only a foreign value can be beyond what the scripts give out
		if (generation.length() > MAX_GENERATION.length()) {
			throw foreign(resource);
		}
		return new Lease(resource, nonce, Long.parseLong(generation));
	}

	private LeaseProviderException unusable(String resource, List<String> reply) {
		if (reply.get(0).equals("counter")) {
			return new LeaseProviderException("""
					The Redis key '%s' %s, but has to be a whole number below %s that the generations of leases \
					are counted with. Set it to a number that is at least the greatest \
					fencing_token / %d of the registry table, or delete it if the clock floor is on"""
				.formatted(this.keys.counter(), reply.get(1), MAX_GENERATION, FencingTokens.PER_GENERATION));
		}
		return foreign(resource);
	}

	private LeaseProviderException foreign(String resource) {
		return new LeaseProviderException("""
				The Redis key '%s' holds something else than a lease with a time to live. Delete it, or choose \
				another namespace if it belongs to another application""".formatted(this.keys.lease(resource)));
	}

}
