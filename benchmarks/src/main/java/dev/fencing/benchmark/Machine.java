package dev.fencing.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

import org.springframework.boot.SpringBootVersion;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.benchmark.peer.RedisConnections;
import dev.fencing.benchmark.server.BenchServers;

/**
 * What was measured on.
 */
final class Machine {

	private Machine() {
	}

	/**
	 * Describe the machine and what runs on it.
	 */
	static Map<String, String> describe() {
		Map<String, String> description = new LinkedHashMap<>();
		description.put("processor", "%s, %d cores".formatted(line("/proc/cpuinfo", "model name"),
				Runtime.getRuntime().availableProcessors()));
		description.put("memory", line("/proc/meminfo", "MemTotal"));
		description.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
		description.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
		description.put("Spring Boot", String.valueOf(SpringBootVersion.getVersion()));
		description.put("Redis", redis());
		description.put("PostgreSQL", postgres());
		return description;
	}

	private static String line(String file, String name) {
		Path path = Path.of(file);
		if (!Files.isReadable(path)) {
			return "unknown";
		}
		try {
			return Files.readAllLines(path)
				.stream()
				.filter((line) -> line.startsWith(name))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse("unknown");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String redis() {
		LettuceConnectionFactory factory = RedisConnections.to(BenchServers.redisPort());
		try (RedisConnection connection = factory.getConnection()) {
			Properties info = connection.serverCommands().info("server");
			return ((info != null) ? info.getProperty("redis_version") : "unknown") + ", nothing written to disk";
		}
		finally {
			factory.destroy();
		}
	}

	private static String postgres() {
		try (Connection connection = DriverManager.getConnection(BenchServers.postgresUrl(), "postgres", "postgres")) {
			return connection.getMetaData().getDatabaseProductVersion() + ", fsync on";
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
