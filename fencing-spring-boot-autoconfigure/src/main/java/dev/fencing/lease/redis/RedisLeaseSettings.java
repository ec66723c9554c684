package dev.fencing.lease.redis;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * Settings of the {@link RedisLeaseProvider}.
 *
 * @param namespace the prefix of all keys: services that guard the same resources share
 * it. Not blank, without white space and braces
 * @param clockFloor whether a generation is at least the milliseconds of the Redis
 * server's clock, so that a counter that was lost does not start again at 1
 * @param replicaAcknowledgements how many replicas have to have a lease before anything
 * runs under it; 0 for none
 * @param replicaTimeout how long Redis may wait for them, more than zero. Who comes while
 * it waits for others' leases waits for that as well, so that it may take twice as long
 * @param partitions how many counters there are, each with the leases of its resources in
 * a hash slot of its own: from 1 to {@value #MAX_PARTITIONS}
 * @since 0.1.0
 */
public record RedisLeaseSettings(String namespace, boolean clockFloor, int replicaAcknowledgements,
		Duration replicaTimeout, int partitions) {

	/**
	 * The greatest number of partitions.
	 */
	public static final int MAX_PARTITIONS = 1024;

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if the namespace is blank, holds white space or
	 * braces or ends as that of a partition does, the number of replicas is negative, the
	 * time is not more than zero, or the number of partitions is out of bounds
	 */
	public RedisLeaseSettings {
		Assert.hasText(namespace, "The namespace must not be blank: it is the prefix of all Redis keys");
		Assert.isTrue(namespace.chars().noneMatch(RedisLeaseSettings::isForbidden),
				() -> "The namespace '%s' must not hold white space nor braces".formatted(namespace));
		Assert.isTrue(!namespace.matches(".*:\\d+"),
				() -> "The namespace '%s' must not end with a colon and a number, as the partitions of another one do"
					.formatted(namespace));
		Assert.isTrue(replicaAcknowledgements >= 0,
				() -> "The number of replicas, %d, must not be negative".formatted(replicaAcknowledgements));
		Assert.isTrue(replicaTimeout.toMillis() > 0,
				() -> "The time %s that replicas have is not more than zero".formatted(replicaTimeout));
		Assert.isTrue(partitions >= 1 && partitions <= MAX_PARTITIONS,
				() -> "The number of partitions must be from 1 to %d, not %d".formatted(MAX_PARTITIONS, partitions));
	}

	/**
	 * Create settings with one partition.
	 * @param namespace the prefix of all keys
	 * @param clockFloor whether a generation is at least the milliseconds of the Redis
	 * server's clock
	 * @param replicaAcknowledgements how many replicas have to have a lease
	 * @param replicaTimeout how long to wait for them
	 */
	public RedisLeaseSettings(String namespace, boolean clockFloor, int replicaAcknowledgements,
			Duration replicaTimeout) {
		this(namespace, clockFloor, replicaAcknowledgements, replicaTimeout, 1);
	}

	/**
	 * Create settings with one partition, by which no replica has to acknowledge a lease.
	 * @param namespace the prefix of all keys
	 * @param clockFloor whether a generation is at least the milliseconds of the Redis
	 * server's clock
	 */
	public RedisLeaseSettings(String namespace, boolean clockFloor) {
		this(namespace, clockFloor, 0, Duration.ofSeconds(1));
	}

	/**
	 * Return the same settings with another number of partitions.
	 * @param partitions their number
	 * @return settings that differ in that only; never null
	 */
	public RedisLeaseSettings withPartitions(int partitions) {
		return new RedisLeaseSettings(this.namespace, this.clockFloor, this.replicaAcknowledgements,
				this.replicaTimeout, partitions);
	}

	private static boolean isForbidden(int character) {
		return character == '{' || character == '}' || Character.isWhitespace(character)
				|| Character.isISOControl(character);
	}

}
