package dev.fencing.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import redis.embedded.RedisServer;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.fencing.neighbour.TestDatabases;

/**
 * An application with PostgreSQL and Redis on which snippets are tried. It starts with
 * the first one that needs it, and stops with the JVM.
 */
final class RunningApplication {

	private static final int START_ATTEMPTS = 10;

	private final RedisServer redis;

	private final int redisPort;

	private final ConfigurableApplicationContext context;

	private RunningApplication() {
		RedisServer server = null;
		int port = 0;
		for (int attempt = 1; server == null; attempt++) {
			try {
				port = freePort();
				server = startRedis(port);
			}
			catch (IOException ex) {
				// Another process may take the free port before the server does
				if (attempt == START_ATTEMPTS) {
					throw new UncheckedIOException(ex);
				}
			}
		}
		this.redis = server;
		this.redisPort = port;
		Runtime.getRuntime().addShutdownHook(new Thread(this::stopRedis));
		this.context = new SpringApplicationBuilder(Configuration.class).web(WebApplicationType.NONE)
			.run("--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + port,
					"--fencing.jdbc.initialize-schema=always", "--fencing.rejections.store=jdbc",
					"--fencing.redis.durability-check=off", "--spring.flyway.enabled=false",
					"--spring.liquibase.enabled=false", "--spring.batch.job.enabled=false",
					"--spring.main.banner-mode=off", "--spring.main.register-shutdown-hook=false");
	}

	static RunningApplication get() {
		return Holder.INSTANCE;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static RedisServer startRedis(int port) throws IOException {
		RedisServer server = RedisServer.newRedisServer()
			.port(port)
			.bind("127.0.0.1")
			.setting("save \"\"")
			.soutListener((line) -> {
			})
			.serrListener((line) -> {
			})
			.build();
		server.start();
		return server;
	}

	private void stopRedis() {
		try {
			// Whoever runs without it would complain
			this.context.close();
			this.redis.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	int redisPort() {
		return this.redisPort;
	}

	/**
	 * Return the statements that have been sent, the latest one last.
	 */
	List<String> sent() {
		return bean(RecordingDataSource.class).sent;
	}

	/**
	 * Leaves everything to the starter but the database.
	 */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Configuration {

		@Bean
		RecordingDataSource dataSource() {
			return new RecordingDataSource(new DriverManagerDataSource(TestDatabases.postgres()));
		}

	}

	/**
	 * Notes what is sent.
	 */
	static class RecordingDataSource extends DelegatingDataSource {

		private final List<String> sent = new CopyOnWriteArrayList<>();

		RecordingDataSource(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("prepareStatement")) {
							this.sent.add((String) arguments[0]);
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getTargetException();
						}
					});
		}

	}

	/**
	 * Starts it once.
	 */
	private static final class Holder {

		static final RunningApplication INSTANCE = new RunningApplication();

	}

}
