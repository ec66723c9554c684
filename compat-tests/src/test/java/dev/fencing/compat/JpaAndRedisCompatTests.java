package dev.fencing.compat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import jakarta.persistence.EntityManagerFactory;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import redis.embedded.RedisServer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.fencing.StaleGenerationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * JPA entities with leases in a real Redis.
 */
@DirtiesContext
class JpaAndRedisCompatTests extends AbstractCompatTests {

	private static RedisServer redis;

	@Autowired
	private DocumentEntities entities;

	@DynamicPropertySource
	static void startRedis(DynamicPropertyRegistry registry) throws IOException {
		redis = RedisServer.newRedisServer()
			.bind("127.0.0.1")
			.port(freePort())
			.setting("save \"\"")
			.setting("appendonly no")
			.build();
		redis.start();
		registry.add("spring.data.redis.port", () -> redis.ports().get(0));
	}

	@AfterAll
	static void stopRedis() throws IOException {
		redis.stop();
	}

	@Test
	void staleEntityIsNotWritten() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.entities.rename(4, "stale", () -> takeOver(4)));
		assertThat(titleOf(4)).isEqualTo("original");
		this.entities.rename(4, "next", () -> {
		});
		assertThat(titleOf(4)).isEqualTo("next");
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		DocumentEntities documentEntities(EntityManagerFactory entityManagerFactory) {
			return new DocumentEntities(entityManagerFactory);
		}

	}

}
