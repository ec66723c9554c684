package dev.fencing.test;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.fencing.lease.LeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real servers.
 */
@AutoConfigureFencing(provider = AutoConfigureFencing.Provider.CONFIGURED)
class RedisAndPostgresTests extends AbstractStaleOwnerTests {

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry registry) {
		registry.add("spring.datasource.url", TestServers::createDatabase);
		registry.add("spring.datasource.username", () -> "postgres");
		registry.add("spring.datasource.password", () -> "postgres");
		registry.add("spring.data.redis.host", () -> "127.0.0.1");
		registry.add("spring.data.redis.port", TestServers::redisPort);
	}

	@Test
	void leasesAreKeptWhereTheApplicationSays(@Autowired LeaseProvider provider) {
		assertThat(provider.name()).isEqualTo("redis");
	}

}
