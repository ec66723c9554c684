package dev.fencing.lease.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.context.Phased;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

import dev.fencing.FencingTokens;
import dev.fencing.LeaseProviderException;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.ReleaseWatch;
import dev.fencing.lease.RenewalAnswer;

/**
 * A {@link LeaseProvider} that keeps leases in Redis (5.0 or later), through Lettuce. A
 * lease is the string {@code generation:nonce} with a time to live, under
 * <code>{namespace}:lease:resource</code>. All leases of a namespace are numbered by one
 * counter, <code>{namespace}:counter</code>. With several partitions (a cluster then
 * spreads them) each has a counter, <code>{namespace:3}:counter</code>, and what belongs
 * to it has the same prefix; the partition of a resource is the CRC-32 of its UTF-8 bytes
 * modulo their number. Every operation is one script and one round trip, also on several
 * resources, and for all leases that are renewed together.
 *
 * <p>
 * It sends over the shared native connection of the factory and opens none of its own,
 * unless sharing is switched off there: then it keeps one until {@link #close()}. To look
 * at the settings of the servers, it opens one for that moment. While somebody waits for
 * a lease, and some seconds longer, there is a second one, on which a holder who releases
 * what others wait for tells them so, and where replicas have to acknowledge leases, a
 * third one, on which they do. The stage that {@link #renew} returns ends on a thread of
 * Lettuce, where nothing may block.
 *
 * @since 0.1.0
 */
public final class RedisLeaseProvider implements LeaseProvider, AutoCloseable, Phased {

	private static final String GRANTED = "granted";

	private static final String MAX_GENERATION = Long.toString(FencingTokens.MAX_GENERATION);

	/**
	 * The work is done by then, and the lease runs out by itself: a Redis that is away
	 * must not keep the caller from its result.
	 */
	private static final Duration LONGEST_RELEASE = Duration.ofSeconds(1);

	/**
	 * Longer than anybody who waits lets pass before the next attempt.
	 */
	private static final Duration REMEMBERED_WAIT = Duration.ofSeconds(3);

	private final LuaScript acquire = LuaScript.load("acquire");

	private final LuaScript renew = LuaScript.load("renew");

	private final LuaScript release = LuaScript.load("release");

	private final LuaScript pass = LuaScript.load("pass");

	private final LuaScript heal = LuaScript.load("heal");

	private final LuaScript raise = LuaScript.load("raise");

	private final LuaScript find = LuaScript.load("find");

	private final LettuceConnectionFactory factory;

	private final ScriptExecutor executor;

	private final DurabilityCheck durability;

	private final ReleaseSubscription releases;

	private final ReplicaAcknowledgements replicas;

	private final RedisKeys keys;

	private final int partitions;

	private final String clockFloor;

	private final String listenersAreKnown;

	private final String channel;

	/**
	 * Create a provider. It connects on first use.
	 * @param factory gives the connection, and has to be started by then; never null
	 * @param settings the namespace, and what else is set; never null
	 * @throws IllegalArgumentException if replicas have to acknowledge leases, and they
	 * cannot be asked: see {@link #asksReplicas}
	 */
	public RedisLeaseProvider(LettuceConnectionFactory factory, RedisLeaseSettings settings) {
		Assert.notNull(factory, "The connection factory must not be null");
		Assert.notNull(settings, "The settings must not be null");
		Assert.isTrue(settings.replicaAcknowledgements() == 0 || asksReplicas(factory),
				"Replicas do not acknowledge leases in a Redis Cluster, nor where primary and replicas are listed");
		this.factory = factory;
		NativeConnection connection = new NativeConnection(factory);
		RedisFailures failures = new RedisFailures(factory);
		this.executor = new ScriptExecutor(factory, connection, failures);
		this.durability = new DurabilityCheck(factory, connection, failures, settings);
		this.keys = new RedisKeys(settings);
		this.partitions = settings.partitions();
		this.clockFloor = settings.clockFloor() ? "1" : "0";
		this.listenersAreKnown = factory.isClusterAware() ? "0" : "1";
		this.channel = this.keys.channel(HexFormat.of().toHexDigits(new SecureRandom().nextLong()));
		this.releases = new ReleaseSubscription(factory, this.channel, this::passOn);
		this.replicas = new ReplicaAcknowledgements(factory, failures, settings, this::renewalOf);
	}

	/**
	 * Return whether replicas can be asked to acknowledge leases. They cannot in a Redis
	 * Cluster, nor where the primary and its replicas are listed
	 * ({@code RedisStaticMasterReplicaConfiguration}): no connection there is known to
	 * lead to the primary alone.
	 * @param factory the factory that leads to the servers; never null
	 * @return whether {@link RedisLeaseSettings#replicaAcknowledgements()} may be more
	 * than 0
	 */
	public static boolean asksReplicas(LettuceConnectionFactory factory) {
		return !factory.isClusterAware() && !ListedServers.areOf(factory);
	}

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		List<String> resources = request.resources();
		refuseSeveralCounters(resources);
		List<String> arguments = new ArrayList<>(8);
		Collections.addAll(arguments, request.nonce(), millis(request.leaseTime()), MAX_GENERATION, this.clockFloor,
				this.listenersAreKnown);
		String watched = request.watched();
		if (watched != null) {
			this.releases.attemptFollows(this.keys.lease(watched));
			String position = Integer.toString(resources.indexOf(watched) + 1);
			Collections.addAll(arguments, position, millis(REMEMBERED_WAIT), this.channel);
		}
		long deadline = this.replicas.deadline(request.timeout());
		List<String> reply = this.executor.runOrUndo(
				this.acquire.on(quoted(resources), this.keys.counterLeasesAndWaiting(resources), arguments),
				request.timeout(), () -> releaseOf(resources, request.nonce(), Duration.ZERO), request.leaseTime(),
				(answer) -> {
					if (this.replicas.areRequired() && answer.get(0).equals(GRANTED)) {
						Lease lease = granted(request, answer);
						this.replicas.await(new LeaseExtension(lease, request.leaseTime()), deadline);
					}
				});
		return switch (reply.get(0)) {
			case GRANTED -> new LeaseAttempt.Granted(granted(request, reply));
			case "held" -> new LeaseAttempt.Held(this.keys.resource(reply.get(1)), duration(reply.get(2)));
			default -> throw unusable(reply, resources);
		};
	}

	private Lease granted(LeaseRequest request, List<String> reply) {
		return new Lease(request.resources(), request.nonce(), generation(reply.get(1), request.resources()));
	}

	@Override
	public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
		// An answer that comes later than that is of no use to anybody
		Duration longest = extensions.stream()
			.map(LeaseExtension::leaseTime)
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
		return this.executor.send(renewalOf(extensions), longest)
			.thenApply((reply) -> RenewalReply.answers(extensions, reply));
	}

	private ScriptRequest renewalOf(List<LeaseExtension> extensions) {
		List<String> leases = new ArrayList<>(extensions.size());
		List<String> arguments = new ArrayList<>(2 * extensions.size());
		for (LeaseExtension extension : extensions) {
			for (String resource : extension.lease().resources()) {
				leases.add(this.keys.lease(resource));
				arguments.add(extension.lease().nonce());
				arguments.add(millis(extension.leaseTime()));
			}
		}
		return this.renew.on(() -> leases.size() + " leases", leases, arguments);
	}

	@Override
	public boolean release(Lease lease, Duration blockedFor) {
		return this.executor.run(releaseOf(lease.resources(), lease.nonce(), blockedFor), LONGEST_RELEASE)
			.get(0)
			.equals("released");
	}

	@Override
	public @Nullable Lease heal(Lease lease, long aboveGeneration) {
		List<String> resources = lease.resources();
		List<String> reply = this.executor.run(this.heal.on(quoted(resources), this.keys.counterAndLeases(resources),
				List.of(lease.nonce(), Long.toString(lease.generation()), Long.toString(aboveGeneration),
						MAX_GENERATION, this.clockFloor)));
		return switch (reply.get(0)) {
			case "healed" -> lease.withGeneration(generation(reply.get(1), lease.resources()));
			case "lost" -> null;
			default -> throw unusable(reply, lease.resources());
		};
	}

	@Override
	public void raise(String resource, long aboveGeneration) {
		String counter = this.keys.counter(resource);
		List<String> reply = this.executor.run(this.raise.on(() -> "'" + counter + "'", List.of(counter),
				List.of(Long.toString(aboveGeneration), MAX_GENERATION)));
		if (!reply.get(0).equals("raised")) {
			throw unusable(reply, List.of(resource));
		}
	}

	@Override
	public @Nullable LeaseState find(String resource) {
		List<String> only = List.of(resource);
		List<String> reply = this.executor.run(this.find.on(quoted(only), this.keys.leases(only), List.of()));
		return switch (reply.get(0)) {
			case "held" -> new LeaseState(new Lease(resource, reply.get(2), generation(reply.get(1), only)),
					duration(reply.get(3)));
			case "free" -> null;
			default -> throw unusable(reply, only);
		};
	}

	@Override
	public ReleaseWatch watch(String resource, Runnable mayBeFree) {
		return this.releases.watch(this.keys.lease(resource), mayBeFree);
	}

	@Override
	public int partition(String resource) {
		return this.keys.partition(resource);
	}

	@Override
	public DurabilityReport durability(Duration longestWait) {
		return this.durability.report(longestWait);
	}

	/**
	 * Return the phase in which the connection factory starts and stops: leases that are
	 * to be given back must have been by then.
	 */
	@Override
	public int getPhase() {
		return this.factory.getPhase();
	}

	@Override
	public void rest() {
		this.executor.rest();
		this.releases.rest();
	}

	/**
	 * Give back the connections that are not the shared one.
	 */
	@Override
	public void close() {
		this.releases.close();
		this.replicas.close();
		this.executor.close();
	}

	private ScriptRequest releaseOf(List<String> resources, String nonce, Duration blockedFor) {
		return this.release.on(quoted(resources), this.keys.leasesAndWaiting(resources),
				List.of(nonce, millis(blockedFor), this.listenersAreKnown));
	}

	/**
	 * Refuse also those that happen to have the same counter: else it would depend on the
	 * keys of the day whether something works.
	 */
	private void refuseSeveralCounters(List<String> resources) {
		if (resources.size() > 1 && this.partitions > 1) {
			throw new LeaseProviderException(
					"""
							%d resources cannot be locked as one: there are %d partitions (fencing.redis.partitions), each with \
							numbers of its own. Lock a single resource that stands for all of them, or set \
							fencing.redis.partitions to 1 in all services of the namespace"""
						.formatted(resources.size(), this.partitions));
		}
	}

	/**
	 * Have the next one told who waits for a lease, since nobody here does any more.
	 */
	private void passOn(String lease) {
		List<String> resources = List.of(this.keys.resource(lease));
		this.executor.sendQuietly(this.pass.on(quoted(resources), this.keys.leasesAndWaiting(resources),
				List.of(this.listenersAreKnown)));
	}

	/**
	 * Round up: a lease lasts in Redis at least as long as its owner believes.
	 */
	private static String millis(Duration duration) {
		long millis = duration.toMillis();
		return Long.toString((duration.toNanosPart() % 1_000_000 == 0) ? millis : millis + 1);
	}

	private static Duration duration(String millis) {
		return Duration.ofMillis(Long.parseLong(millis));
	}

	private long generation(String generation, List<String> resources) {
		// Only a foreign value can be beyond what the scripts give out
		if (generation.length() > MAX_GENERATION.length()) {
			throw foreign(this.keys.lease(resources.get(0)));
		}
		return Long.parseLong(generation);
	}

	private LeaseProviderException unusable(List<String> reply, List<String> resources) {
		if (reply.get(0).equals("counter")) {
			return new LeaseProviderException("""
					The Redis key '%s' %s, but has to be a whole number below %s that the generations of leases \
					are counted with. Set it to a number that is at least the greatest \
					fencing_token / %d of the registry table, or delete it if the clock floor is on""".formatted(
					this.keys.counter(resources.get(0)), reply.get(1), MAX_GENERATION, FencingTokens.PER_GENERATION));
		}
		return foreign((reply.size() > 1) ? reply.get(1) : this.keys.lease(resources.get(0)));
	}

	private Supplier<String> quoted(List<String> resources) {
		return () -> "'" + this.keys.lease(resources.get(0)) + "'"
				+ ((resources.size() > 1) ? " and %d more".formatted(resources.size() - 1) : "");
	}

	private static LeaseProviderException foreign(String key) {
		return new LeaseProviderException("""
				The Redis key '%s' holds something else than a lease with a time to live. Delete it, or choose \
				another namespace if it belongs to another application""".formatted(key));
	}

}
