package dev.fencing.benchmark.peer;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The locks that are measured beside each other.
 *
 * @since 0.1.0
 */
public enum PeerKind {

	/**
	 * The lock template of this project, without a database.
	 */
	FENCING("Fencing", true),

	/**
	 * The scripts of this project, sent by hand: the floor. It does not wait.
	 */
	LETTUCE("bare Lettuce", false),

	/**
	 * Redisson's lock.
	 */
	REDISSON_LOCK("Redisson RLock", true),

	/**
	 * Redisson's lock that hands out a token.
	 */
	REDISSON_FENCED_LOCK("Redisson RFencedLock", true),

	/**
	 * Spring Integration's lock that asks again after a pause.
	 */
	INTEGRATION_SPIN("Spring Integration spin lock", true),

	/**
	 * Spring Integration's lock that is told of a release.
	 */
	INTEGRATION_PUB_SUB("Spring Integration pub/sub lock", true),

	/**
	 * ShedLock's provider. It does not wait.
	 */
	SHEDLOCK("ShedLock", false);

	private final String title;

	private final boolean waiting;

	PeerKind(String title, boolean waiting) {
		this.title = title;
		this.waiting = waiting;
	}

	/**
	 * Return its name in tables.
	 * @return the name; never null
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return whether it can wait for a lock that somebody else has.
	 * @return whether it can wait
	 */
	public boolean canWait() {
		return this.waiting;
	}

	/**
	 * Return those that can wait.
	 * @return the locks, in the order of tables; never null
	 */
	public static List<PeerKind> whoCanWait() {
		return Arrays.stream(values()).filter(PeerKind::canWait).toList();
	}

	/**
	 * Open one.
	 * @param redisPort the port of the Redis
	 * @param leaseTime how long a lock lasts unless it is renewed; never null
	 * @return the lock, to be closed by the caller; never null
	 */
	public Peer open(int redisPort, Duration leaseTime) {
		return switch (this) {
			case FENCING -> new FencingPeer(redisPort, leaseTime);
			case LETTUCE -> new LettucePeer(redisPort, leaseTime);
			case REDISSON_LOCK, REDISSON_FENCED_LOCK ->
				new RedissonPeer(redisPort, leaseTime, this == REDISSON_FENCED_LOCK);
			case INTEGRATION_SPIN, INTEGRATION_PUB_SUB ->
				new IntegrationPeer(redisPort, leaseTime, this == INTEGRATION_PUB_SUB);
			case SHEDLOCK -> new ShedLockPeer(redisPort, leaseTime);
		};
	}

}
