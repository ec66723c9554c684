package dev.fencing.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

import dev.fencing.LockRequest;
import dev.fencing.jdbc.JdbcGenerationRegistry;
import dev.fencing.jdbc.RejectionTable;
import dev.fencing.lease.redis.RedisLeaseSettings;

/**
 * Refuses values that nothing can work with, by the name of their property: the parts
 * that get them would not know it.
 */
final class FencingPropertiesCheck {

	/** A century: before it, databases count time in different ways. */
	private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);

	private FencingPropertiesCheck() {
	}

	static void check(FencingProperties properties) {
		String namespace = properties.getNamespace();
		check("fencing.namespace", namespace, StringUtils.hasText(namespace) && !namespace.matches("(?s).*[\\s{}].*"),
				"It is the prefix of all Redis keys: neither blank nor with white space or braces.");
		check("fencing.namespace", namespace, !namespace.matches(".*:\\d+"),
				"It must not end with a colon and a number: the partitions of another namespace are named like that.");
		checkLock(properties.getLock());
		checkRedis(properties.getRedis());
		checkJdbc(properties.getJdbc());
		checkRejections(properties.getRejections());
	}

	private static void checkLock(FencingProperties.Lock lock) {
		Duration leaseTime = lock.getLeaseTime();
		check("fencing.lock.lease-time", leaseTime,
				isLeaseTime(leaseTime) && leaseTime.compareTo(LockRequest.MAX_LEASE_TIME) <= 0,
				("It must be at least %d ms, and at most %d days. How long the work takes does not matter, the lease is"
						+ " renewed meanwhile.")
					.formatted(LockRequest.MIN_LEASE_MILLIS, LockRequest.MAX_LEASE_TIME.toDays()));
		check("fencing.lock.wait-time", lock.getWaitTime(), !lock.getWaitTime().isNegative(),
				"It must not be negative. With 0 there is a single attempt.");
		Duration renewInterval = lock.getRenewInterval();
		check("fencing.lock.renew-interval", renewInterval,
				renewInterval == null || (renewInterval.toMillis() > 0 && renewInterval.compareTo(leaseTime) < 0),
				("It must be positive and shorter than fencing.lock.lease-time, which is %s: leave it out for a third"
						+ " of that.")
					.formatted(leaseTime));
		check("fencing.lock.max-hold", lock.getMaxHold(), lock.getMaxHold() == null || isLeaseTime(lock.getMaxHold()),
				"It must be at least %d ms. Leave it out for no limit.".formatted(LockRequest.MIN_LEASE_MILLIS));
	}

	private static void checkRedis(FencingProperties.Redis redis) {
		check("fencing.redis.partitions", redis.getPartitions(),
				redis.getPartitions() >= 1 && redis.getPartitions() <= RedisLeaseSettings.MAX_PARTITIONS,
				"It must be from 1 to %d.".formatted(RedisLeaseSettings.MAX_PARTITIONS));
		check("fencing.redis.replica-acknowledgements", redis.getReplicaAcknowledgements(),
				redis.getReplicaAcknowledgements() >= 0, "It must not be negative. With 0, no replica is asked.");
		check("fencing.redis.replica-timeout", redis.getReplicaTimeout(), redis.getReplicaTimeout().toMillis() > 0,
				"It must be at least 1 ms. To ask no replica, set fencing.redis.replica-acknowledgements to 0.");
	}

	private static void checkJdbc(FencingProperties.Jdbc jdbc) {
		check("fencing.jdbc.token-column", jdbc.getTokenColumn(), jdbc.getTokenColumn().matches("[A-Za-z_]\\w*"),
				"It must be the plain name of a column: letters, digits and underscores.");
		checkTable("fencing.jdbc.table-name", jdbc.getTableName(), JdbcGenerationRegistry.DEFAULT_TABLE_NAME);
		check("fencing.jdbc.registration-timeout", jdbc.getRegistrationTimeout(),
				jdbc.getRegistrationTimeout().toMillis() > 0, "It must be positive.");
		check("fencing.jdbc.schema", jdbc.getSchema(), StringUtils.hasText(jdbc.getSchema()),
				"It must name a script. To create no table, set fencing.jdbc.initialize-schema to never.");
	}

	private static void checkRejections(FencingProperties.Rejections rejections) {
		check("fencing.rejections.capacity", rejections.getCapacity(), rejections.getCapacity() >= 0,
				"It must not be negative. With 0, rejections are counted and none is kept.");
		check("fencing.rejections.queue-capacity", rejections.getQueueCapacity(), rejections.getQueueCapacity() > 0,
				"It must be positive. To store no rejections, set fencing.rejections.store to memory.");
		Duration retention = rejections.getRetention();
		check("fencing.rejections.retention", retention,
				!retention.isNegative() && retention.compareTo(LONGEST_RETENTION) <= 0,
				"It must not be negative, and at most %d days. With 0, rejections are kept for ever."
					.formatted(LONGEST_RETENTION.toDays()));
		checkTable("fencing.rejections.table-name", rejections.getTableName(), RejectionTable.DEFAULT_NAME);
		check("fencing.rejections.schema", rejections.getSchema(), StringUtils.hasText(rejections.getSchema()),
				"It must name a script. To create no table, set fencing.jdbc.initialize-schema to never.");
	}

	private static void checkTable(String name, String table, String example) {
		check(name, table, table.matches("[\\w.\"`$]+"),
				"It must be the name of a table, possibly with its schema: %1$s or app.%1$s.".formatted(example));
	}

	private static boolean isLeaseTime(Duration time) {
		return time.toMillis() >= LockRequest.MIN_LEASE_MILLIS;
	}

	private static void check(String name, @Nullable Object value, boolean valid, String reason) {
		if (!valid) {
			throw new InvalidConfigurationPropertyValueException(name, value, reason);
		}
	}

}
