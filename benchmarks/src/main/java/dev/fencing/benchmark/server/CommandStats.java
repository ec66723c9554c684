package dev.fencing.benchmark.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * How often a Redis has run each command, as {@code INFO commandstats} tells it. What
 * scripts call is counted there too.
 *
 * @param calls the calls by the name of the command, in lower case; never null
 * @since 0.1.0
 */
public record CommandStats(Map<String, Long> calls) {

	private static final String PREFIX = "cmdstat_";

	private static final Set<String> OF_THE_MEASUREMENT = Set.of("info", "monitor", "hello", "client", "client|setinfo",
			"client|setname", "command", "ping", "auth", "select");

	/**
	 * Ask a server.
	 * @param factory leads to the server; never null
	 * @return what it has run since it was started; never null
	 */
	public static CommandStats of(LettuceConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			Properties info = connection.serverCommands().info("commandstats");
			Map<String, Long> calls = new HashMap<>();
			if (info != null) {
				for (String name : info.stringPropertyNames()) {
					String value = info.getProperty(name);
					calls.put(name.substring(PREFIX.length()),
							Long.valueOf(value.substring("calls=".length(), value.indexOf(','))));
				}
			}
			return new CommandStats(calls);
		}
	}

	/**
	 * Return what was run since then, without the commands of connections and of the
	 * measurement itself.
	 * @param before what had been run then; never null
	 * @return the difference, sorted by name; never null
	 */
	public CommandStats since(CommandStats before) {
		Map<String, Long> difference = new TreeMap<>();
		this.calls.forEach((name, count) -> {
			long more = count - before.calls.getOrDefault(name, 0L);
			if (more > 0 && !OF_THE_MEASUREMENT.contains(name)) {
				difference.put(name, more);
			}
		});
		return new CommandStats(difference);
	}

	/**
	 * Return how many commands there were.
	 * @return the sum
	 */
	public long total() {
		return this.calls.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Return how often scripts were run.
	 * @return the calls of EVAL and EVALSHA
	 */
	public long scripts() {
		return this.calls.getOrDefault("evalsha", 0L) + this.calls.getOrDefault("eval", 0L);
	}

}
