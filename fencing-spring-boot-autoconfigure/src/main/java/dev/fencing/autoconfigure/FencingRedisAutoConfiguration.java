package dev.fencing.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.lease.redis.RedisLeaseSettings;

/**
 * Auto-configuration of leases in Redis.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" })
@ConditionalOnClass(name = { "org.springframework.data.redis.connection.RedisConnectionFactory" })
@ConditionalOnProperty(name = "fencing.provider", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(FencingProperties.class)
public final class FencingRedisAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(LeaseProvider.class)
	RedisLeaseProvider fencingLeaseProvider(ListableBeanFactory beanFactory,
			ObjectProvider<RedisConnectionFactory> factories,
			@FencingRedis ObjectProvider<RedisConnectionFactory> marked, FencingProperties properties) {
		RedisConnectionFactory factory = MarkedBeans.select(beanFactory, RedisConnectionFactory.class, "FencingRedis",
				marked, factories);
		if (factory == null) {
			throw new FencingConfigurationException(
					"There is no RedisConnectionFactory, so that no lease could be taken.",
					"Add spring-boot-starter-data-redis and set spring.data.redis.*, or set fencing.provider to "
							+ "memory in tests.");
		}
		if (!(factory instanceof LettuceConnectionFactory lettuce)) {
			throw new FencingConfigurationException("""
					The Redis connection factory is a %s: leases need Lettuce."""
				.formatted(factory.getClass().getName()), """
						Use Lettuce, Spring Boot's default client (remove jedis and spring.data.redis.client-type), or \
						define a LettuceConnectionFactory for the leases and mark it with @FencingRedis.""");
		}
		FencingProperties.Redis redis = properties.getRedis();
		if (redis.getReplicaAcknowledgements() > 0 && !RedisLeaseProvider.asksReplicas(lettuce)) {
			String where = lettuce.isClusterAware() ? "In a Redis Cluster"
					: "Where a Redis primary and its replicas are listed (RedisStaticMasterReplicaConfiguration, "
							+ "spring.data.redis.masterreplica.nodes)";
			throw new FencingConfigurationException(where + " no replicas can be asked whether they have a lease.",
					"Remove fencing.redis.replica-acknowledgements, or take the leases from a Redis with Sentinel: mark "
							+ "its connection factory with @FencingRedis.");
		}
		return new RedisLeaseProvider(lettuce, new RedisLeaseSettings(properties.getNamespace(), redis.isClockFloor(),
				redis.getReplicaAcknowledgements(), redis.getReplicaTimeout(), redis.getPartitions()));
	}

	@Bean
	DurabilityStartupCheck fencingDurabilityStartupCheck(LeaseProvider provider, FencingProperties properties) {
		return new DurabilityStartupCheck(provider, properties.getRedis().getDurabilityCheck());
	}

}
