package dev.fencing.sample.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.sample.SampleApplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the servers that the application starts, and does not start.
 */
class EmbeddedServersTests {

	@Test
	void serversEndWithTheApplication() throws IOException {
		RunningServers servers;
		try (ConfigurableApplicationContext context = start(SampleApplication.class)) {
			servers = RunningServers.of(context.getBean(PostgresServer.class), context.getBean(RedisProcess.class));
			servers.assertRunning();
		}
		servers.assertGone();
	}

	@Test
	void serversEndWhenTheStartFails() {
		FailingConfiguration.seen.clear();
		assertThatExceptionOfType(BeanCreationException.class).isThrownBy(() -> start(FailingConfiguration.class))
			.withStackTraceContaining("as intended");
		assertThat(FailingConfiguration.seen).hasSize(1).allSatisfy(RunningServers::assertGone);
	}

	@Test
	void externalProfileUsesTheGivenServersAndStartsNone() throws IOException {
		try (PostgresServer postgres = PostgresServer.start(); RedisProcess redis = RedisProcess.start()) {
			try (ConfigurableApplicationContext context = start(SampleApplication.class,
					"--spring.profiles.active=external",
					"--spring.datasource.url=" + postgres.connectionDetails().getJdbcUrl(),
					"--spring.datasource.username=postgres", "--spring.data.redis.host=127.0.0.1",
					"--spring.data.redis.port=" + redis.port())) {
				assertThat(context.getBeansOfType(PostgresServer.class)).isEmpty();
				assertThat(context.getBeansOfType(RedisProcess.class)).isEmpty();
				Integer postgresPort = context.getBean(JdbcTemplate.class)
					.queryForObject("select inet_server_port()", Integer.class);
				assertThat(postgresPort).isEqualTo(postgres.port());
				assertThat(redisPort(context.getBean(RedisConnectionFactory.class))).isEqualTo(redis.port());
			}
			RunningServers.of(postgres, redis).assertRunning();
		}
	}

	private static ConfigurableApplicationContext start(Class<?> source, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--sample.demo=false"));
		arguments.addAll(List.of(properties));
		return new SpringApplicationBuilder(SampleApplication.class, source).run(arguments.toArray(String[]::new));
	}

	private static int redisPort(RedisConnectionFactory connectionFactory) {
		try (RedisConnection connection = connectionFactory.getConnection()) {
			Properties info = connection.serverCommands().info("server");
			assertThat(info).isNotNull();
			return Integer.parseInt(info.getProperty("tcp_port"));
		}
	}

	/**
	 * What can be seen of two servers from outside.
	 */
	private record RunningServers(int postgresPort, long postgresProcess, Path postgresData, int redisPort,
			Path redisFolder) {

		static RunningServers of(PostgresServer postgres, RedisProcess redis) throws IOException {
			String process = Files.readAllLines(postgres.data().resolve("postmaster.pid")).get(0).trim();
			return new RunningServers(postgres.port(), Long.parseLong(process), postgres.data(), redis.port(),
					redis.folder());
		}

		void assertRunning() {
			assertThat(isOpen(this.postgresPort)).isTrue();
			assertThat(ProcessHandle.of(this.postgresProcess)).isPresent();
			assertThat(this.postgresData).exists();
			assertThat(isOpen(this.redisPort)).isTrue();
			assertThat(this.redisFolder).exists();
		}

		void assertGone() {
			assertThat(isOpen(this.postgresPort)).isFalse();
			// It is not our child, and says that it is done just before it ends
			await().until(() -> ProcessHandle.of(this.postgresProcess).isEmpty());
			assertThat(this.postgresData).doesNotExist();
			assertThat(isOpen(this.redisPort)).isFalse();
			assertThat(this.redisFolder).doesNotExist();
			assertThat(ProcessHandle.current().descendants().map((process) -> process.info().command().orElse("")))
				.noneMatch((command) -> command.startsWith(this.redisFolder.toString()));
		}

		private static boolean isOpen(int port) {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				return socket.isConnected();
			}
			catch (IOException ex) {
				return false;
			}
		}

	}

	/**
	 * Not annotated, so that it is not found by scanning.
	 */
	static class FailingConfiguration {

		private static final List<RunningServers> seen = new ArrayList<>();

		@Bean
		Object failing(PostgresServer postgres, RedisProcess redis) throws IOException {
			RunningServers servers = RunningServers.of(postgres, redis);
			servers.assertRunning();
			seen.add(servers);
			throw new IllegalStateException("as intended");
		}

	}

}
