package dev.fencing.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.ResourceReport;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.redis.RedisLeaseProvider;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.ClassPathWithout;
import dev.fencing.testsupport.Endpoints;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which Redis set-ups start, and what the others are told.
 */
class RedisSetupTests {

	private static final String DATABASE = "--spring.datasource.generate-unique-name=true";

	@Test
	void withoutConnectionFactory() {
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, DATABASE);
		assertThat(analysis.getDescription()).contains("no RedisConnectionFactory");
		assertThat(analysis.getAction()).contains("spring-boot-starter-data-redis", "spring.data.redis",
				"fencing.provider");
	}

	@Test
	void withoutSpringDataRedis() throws Exception {
		try (ClassPathWithout classPath = ClassPathWithout.jars("spring-data-redis", "spring-boot-data-redis")) {
			assertThat(classPath.call(FailureOfStart.class)).contains("Spring Data Redis",
					"spring-boot-starter-data-redis", "fencing.provider");
		}
	}

	@Test
	void withJedisInsteadOfLettuce() {
		FailureAnalysis analysis = Startup.failure(Startup.Application.class, DATABASE,
				"--spring.data.redis.client-type=jedis");
		assertThat(analysis.getDescription()).contains("JedisConnectionFactory", "Lettuce");
		assertThat(analysis.getAction()).contains("spring.data.redis.client-type", "@FencingRedis");
	}

	@Test
	void withJedisAndNoLettuceOnTheClassPath() throws Exception {
		try (ClassPathWithout classPath = ClassPathWithout.jars("lettuce-")) {
			assertThat(classPath.call(FailureOfStart.class)).contains("JedisConnectionFactory", "Lettuce");
		}
	}

	@Test
	void withReplicasOfACluster() {
		FailureAnalysis analysis = Startup.failure(Startup.Application.class, DATABASE,
				"--spring.data.redis.cluster.nodes=127.0.0.1:1", "--fencing.redis.replica-acknowledgements=1");
		assertThat(analysis.getDescription()).contains("Redis Cluster", "replicas");
		assertThat(analysis.getAction()).contains("fencing.redis.replica-acknowledgements", "Sentinel");
	}

	@Test
	void withReplicasThatAreListed() {
		FailureAnalysis analysis = Startup.failure(Startup.Application.class, DATABASE,
				"--spring.data.redis.masterreplica.nodes=127.0.0.1:1,127.0.0.1:2",
				"--fencing.redis.replica-acknowledgements=1");
		assertThat(analysis.getDescription()).contains("spring.data.redis.masterreplica.nodes", "replicas");
		assertThat(analysis.getAction()).contains("fencing.redis.replica-acknowledgements", "Sentinel");
	}

	@Test
	void replicasThatAreConfiguredAreAsked() {
		try (RedisTestServer server = RedisTestServer.started();
				ConfigurableApplicationContext context = Startup.start(Startup.Application.class, DATABASE,
						"--spring.data.redis.port=" + server.port(), "--fencing.redis.replica-acknowledgements=3",
						"--fencing.redis.replica-timeout=20ms")) {
			assertThatExceptionOfType(LeaseProviderException.class)
				.isThrownBy(() -> context.getBean(FencedLockTemplate.class)
					.executeWithoutResult(LockRequest.of("document"), (lease) -> {
					}))
				.withMessageContaining("0 of 3 replicas")
				.withMessageContaining("0.02S");
		}
	}

	@Test
	void withSeveralConnectionFactories() {
		FailureAnalysis analysis = Startup.failure(TwoFactories.class, DATABASE);
		assertThat(analysis.getDescription()).contains("RedisConnectionFactory", "cache", "leases");
		assertThat(analysis.getAction()).contains("@FencingRedis", "@Primary");
	}

	@Test
	void markedConnectionFactoryIsTaken() {
		assertLocksOverTheSecond(MarkedFactory.class);
	}

	@Test
	void primaryConnectionFactoryIsTaken() {
		assertLocksOverTheSecond(PrimaryFactory.class);
	}

	@Test
	void markedConnectionFactoryComesBeforeThePrimaryOne() {
		assertLocksOverTheSecond(MarkedBesidesPrimaryFactory.class);
	}

	@Test
	void redisThatIsNotReachableDoesNotStopTheStart() throws IOException {
		try (ConfigurableApplicationContext context = Startup.start(Endpoint.class, DATABASE,
				"--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + closedPort())) {
			AtomicBoolean ran = new AtomicBoolean();
			assertThatExceptionOfType(LeaseProviderException.class)
				.isThrownBy(() -> context.getBean(FencedLockTemplate.class)
					.executeWithoutResult(LockRequest.of("document"), (lease) -> ran.set(true)))
				.withMessageContaining("127.0.0.1");
			assertThat(ran).isFalse();
			assertThat(context.getBean(FencingEndpoint.class).fencing("document", null, null))
				.isInstanceOf(ResourceReport.class)
				.extracting("error")
				.asString()
				.contains("The lease provider failed", "127.0.0.1");
		}
	}

	private static void assertLocksOverTheSecond(Class<?> source) {
		try (RedisTestServer server = RedisTestServer.started();
				ConfigurableApplicationContext context = Startup.start(source, DATABASE,
						"--test.port=" + server.port())) {
			assertThat(context.getBean(LeaseProvider.class)).isInstanceOf(RedisLeaseProvider.class);
			assertThat(context.getBean(FencedLockTemplate.class)
				.<Long, RuntimeException>execute(LockRequest.of("document").waitTime(Duration.ofSeconds(30)),
						(lease) -> lease.generation()))
				.isPositive();
		}
	}

	private static int closedPort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Starts an application in whatever class path it is loaded, and tells the message of
	 * its failure.
	 */
	public static class FailureOfStart implements Callable<String> {

		@Override
		public String call() {
			try {
				Startup.start(WhatIsThere.class, DATABASE).close();
				return "started";
			}
			catch (BeanCreationException ex) {
				return String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage());
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(
			excludeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
	static class WhatIsThere {

	}

	@Configuration(proxyBeanMethods = false)
	static class Endpoint extends Startup.Application {

		@Bean
		FencingEndpoint fencingEndpoint(LeaseProvider provider, RejectionLog rejections) {
			return Endpoints.of(provider, "test", rejections);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoFactories extends Startup.WithoutRedis {

		@Bean
		RedisConnectionFactory cache() {
			return unreachable();
		}

		@Bean
		RedisConnectionFactory leases() {
			return unreachable();
		}

		static RedisConnectionFactory unreachable() {
			return new LettuceConnectionFactory("127.0.0.1", 1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedFactory extends Startup.WithoutRedis {

		@Bean
		RedisConnectionFactory cache() {
			return TwoFactories.unreachable();
		}

		@Bean
		@FencingRedis
		RedisConnectionFactory leases(@Value("${test.port}") int port) {
			return new LettuceConnectionFactory("127.0.0.1", port);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryFactory extends Startup.WithoutRedis {

		@Bean
		RedisConnectionFactory cache() {
			return TwoFactories.unreachable();
		}

		@Bean
		@Primary
		RedisConnectionFactory leases(@Value("${test.port}") int port) {
			return new LettuceConnectionFactory("127.0.0.1", port);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedBesidesPrimaryFactory extends Startup.WithoutRedis {

		@Bean
		@Primary
		RedisConnectionFactory cache() {
			return TwoFactories.unreachable();
		}

		@Bean
		@FencingRedis
		RedisConnectionFactory leases(@Value("${test.port}") int port) {
			return new LettuceConnectionFactory("127.0.0.1", port);
		}

	}

}
