package dev.fencing.benchmark.server;

import java.util.List;

/**
 * The servers of a measurement. All of its processes use the same: whoever is not told of
 * them by system properties starts them, on first use, and stops them at the end.
 *
 * @since 0.1.0
 */
public final class BenchServers {

	private static final String REDIS = "bench.redis.port";

	private static final String POSTGRES = "bench.postgres.port";

	private BenchServers() {
	}

	/**
	 * Return the port of the Redis.
	 * @return the port
	 */
	public static int redisPort() {
		Integer given = Integer.getInteger(REDIS);
		return (given != null) ? given : Redis.SERVER.port();
	}

	/**
	 * Return the port of the PostgreSQL, whose user and database are {@code postgres}.
	 * @return the port
	 */
	public static int postgresPort() {
		Integer given = Integer.getInteger(POSTGRES);
		return (given != null) ? given : Postgres.SERVER.port();
	}

	/**
	 * Return the JDBC URL of the PostgreSQL, for the user and password {@code postgres}.
	 * @return the URL; never null
	 */
	public static String postgresUrl() {
		return "jdbc:postgresql://127.0.0.1:" + postgresPort() + "/postgres";
	}

	/**
	 * Return the arguments that tell another JVM of the Redis.
	 * @return the arguments; never null
	 */
	public static List<String> redisArguments() {
		return List.of("-D" + REDIS + "=" + redisPort());
	}

	/**
	 * Return the arguments that tell another JVM of both servers.
	 * @return the arguments; never null
	 */
	public static List<String> arguments() {
		return List.of("-D" + REDIS + "=" + redisPort(), "-D" + POSTGRES + "=" + postgresPort());
	}

	private static <T extends AutoCloseable> T untilTheEnd(T server) {
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			try {
				server.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException("The server did not stop", ex);
			}
		}));
		return server;
	}

	private static final class Redis {

		static final RedisBenchServer SERVER = untilTheEnd(new RedisBenchServer());

	}

	private static final class Postgres {

		static final PostgresBenchServer SERVER = untilTheEnd(new PostgresBenchServer());

	}

}
