package dev.fencing.sample.server;

import java.io.IOException;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/**
 * Starts a PostgreSQL and a Redis on free loopback ports and tells Spring Boot where they
 * are. They are stopped with the application context, after everything that uses them.
 */
@Configuration(proxyBeanMethods = false)
@Profile("!external")
class EmbeddedServersConfiguration {

	@Bean
	PostgresServer postgresServer() throws IOException {
		return StopAtExit.start(PostgresServer::start);
	}

	@Bean
	RedisProcess redisProcess() throws IOException {
		return StopAtExit.start(RedisProcess::start);
	}

	@Bean
	JdbcConnectionDetails postgresConnectionDetails(PostgresServer server) {
		return server.connectionDetails();
	}

	@Bean
	DataRedisConnectionDetails redisConnectionDetails(RedisProcess redis) {
		return redis.connectionDetails();
	}

}
