package dev.fencing.benchmark.peer;

import java.time.Duration;
import java.util.List;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.CompositeFencingListener;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LockCallObserver;
import dev.fencing.LockRequest;
import dev.fencing.event.FencingEventPublisher;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.LeasedLockTemplate;

/**
 * The lock template of this project, as the starter sets it up for an application that
 * has no database: the wait time of each call is its own. A lock that is taken and given
 * back by two calls is a lease without that template around it.
 */
final class FencingPeer implements Peer {

	private static final String NAMESPACE = "bench";

	private static final String NAME = "bench";

	private final LettuceConnectionFactory factory;

	private final RedisLeaseProvider provider;

	private final LeaseRenewer renewer;

	private final LeaseAcquirer acquirer;

	private final FencedLockTemplate locks;

	private final AnnotationConfigApplicationContext events = new AnnotationConfigApplicationContext();

	FencingPeer(int redisPort, Duration leaseTime) {
		this.events.refresh();
		this.factory = RedisConnections.to(redisPort);
		this.provider = new RedisLeaseProvider(this.factory, new RedisLeaseSettings(NAMESPACE, true));
		LeaseSettings settings = new LeaseSettings(leaseTime, Duration.ofSeconds(5), null, null);
		this.renewer = new LeaseRenewer(this.provider, settings);
		this.acquirer = new LeaseAcquirer(this.provider, this.renewer, settings, new HeldLeases());
		this.locks = new LeasedLockTemplate(this.provider, this.acquirer, null, ActiveTransaction.REJECT, List.of(),
				new CompositeFencingListener(List.of(new FencingEventPublisher(this.events))), LockCallObserver.NONE,
				settings.waitTime(), "bench");
	}

	@Override
	public Held acquire(String key, Duration wait) {
		LeaseHold hold = this.acquirer.acquire(LockRequest.of(NAME).key(key), wait);
		if (hold == null) {
			throw new IllegalStateException("Not in time: " + key);
		}
		return () -> this.acquirer.end(hold, true);
	}

	@Override
	public void locked(String key, Duration wait, Runnable work) {
		this.locks.execute(LockRequest.of(NAME).key(key).waitTime(wait), (acquisition) -> {
			work.run();
			return acquisition.generation();
		});
	}

	@Override
	public String redisKey(String key) {
		return "{%s}:lease:%s:%s".formatted(NAMESPACE, NAME, key);
	}

	@Override
	public void close() {
		this.renewer.close();
		this.provider.close();
		this.factory.destroy();
		this.events.close();
	}

}
