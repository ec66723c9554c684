package dev.fencing.compat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import com.jayway.jsonpath.JsonPath;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.embedded.RedisServer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.types.RedisClientInfo;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
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

	@Autowired
	private EntityManagerFactory entityManagerFactory;

	@Autowired
	private FencedLockTemplate locks;

	@Autowired
	private HikariDataSource pool;

	@Autowired
	private RedisConnectionFactory redisConnectionFactory;

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

	@Test
	@Timeout(60)
	void openPersistenceContextKeepsNoConnectionWhileItWaitsForALease() throws Exception {
		HikariPoolMXBean pool = this.pool.getHikariPoolMXBean();
		CountDownLatch hasRead = new CountDownLatch(1);
		CompletableFuture<String> request = this.locks.execute(LockRequest.of("document").key(5), (context) -> {
			CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> withOpenContext(() -> {
				assertThat(this.entities.titleOf(5)).isEqualTo("original");
				hasRead.countDown();
				this.entities.rename(5, "after the wait", () -> {
				});
				return this.entities.titleOf(5);
			}));
			assertThat(hasRead.await(30, TimeUnit.SECONDS)).isTrue();
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.untilAsserted(() -> assertThat(pool.getActiveConnections()).isZero());
			assertThat(waiting).isNotDone();
			return waiting;
		});
		assertThat(request.get(30, TimeUnit.SECONDS)).isEqualTo("after the wait");
		assertThat(titleOf(5)).isEqualTo("after the wait");
		assertThat(pool.getActiveConnections()).isZero();
	}

	@Test
	@Timeout(60)
	void waiterListensForTheReleaseAndIsServed() throws Exception {
		LockRequest request = LockRequest.of("document").keys(List.of(6, 7)).waitTime(Duration.ofSeconds(30));
		CompletableFuture<String> served = this.locks.execute(request, (context) -> {
			CompletableFuture<String> waiting = CompletableFuture
				.supplyAsync(() -> this.locks.execute(request, (inner) -> "served"));
			Awaitility.await().until(() -> subscriptions() == 1);
			assertThat(waiting).isNotDone();
			return waiting;
		});
		assertThat(served.get(30, TimeUnit.SECONDS)).isEqualTo("served");
		Awaitility.await().until(() -> subscriptions() == 0);
	}

	private long subscriptions() {
		try (RedisConnection connection = this.redisConnectionFactory.getConnection()) {
			return connection.serverCommands()
				.getClientList()
				.stream()
				.mapToLong(RedisClientInfo::getChannelSubscribtions)
				.sum();
		}
	}

	@Test
	void operatorsAreToldHowWellLeasesAreKept() throws Exception {
		String report = get("/actuator/fencing");
		assertThat(JsonPath.<List<String>>read(report, "$.durability.findings[*].setting"))
			.containsExactly("appendonly");
		assertThat(JsonPath.<Map<String, Object>>read(report, "$.durability")).containsEntry("error", null);
	}

	@Test
	void shortestHoldOutlastsTheWork() {
		LockRequest request = LockRequest.of("document").key(8);
		assertThat(this.locks.tryExecute(request.minHold(Duration.ofMinutes(1)), (context) -> "ran")).isPresent();
		assertThat(this.locks.tryExecute(request, (context) -> "ran")).isEmpty();
	}

	/**
	 * Run code as open-in-view runs a request.
	 */
	private <T> T withOpenContext(Supplier<T> code) {
		EntityManager entityManager = this.entityManagerFactory.createEntityManager();
		TransactionSynchronizationManager.bindResource(this.entityManagerFactory,
				new EntityManagerHolder(entityManager));
		try {
			return code.get();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this.entityManagerFactory);
			entityManager.close();
		}
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
