package dev.fencing.benchmark.peer;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Connections as Spring Boot makes them by default: one that is shared.
 *
 * @since 0.1.0
 */
public final class RedisConnections {

	private RedisConnections() {
	}

	/**
	 * Start a factory.
	 * @param port the port of the Redis on loopback
	 * @return the factory, to be destroyed by the caller; never null
	 */
	public static LettuceConnectionFactory to(int port) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
