package dev.fencing.lease.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;

/**
 * Asks servers for their settings: on a cluster, every primary that serves slots. What
 * INFO tells is taken from there, since managed services permit no CONFIG.
 */
final class ServerSettingsReader {

	private static final String REFUSED = """
			%s does not tell all its settings (%s). Let the application's user run INFO and CONFIG|GET, or see to it \
			yourself that maxmemory-policy is noeviction and appendonly is yes""";

	private static final String REPLICA = """
			A replica answered for %s: its settings are not those of the primary, where the leases are. See to it \
			yourself that maxmemory-policy is noeviction and appendonly is yes there""";

	private static final List<String> TOLD_BY_CONFIG_ONLY = List.of(ServerSettings.SAVE, ServerSettings.APPENDFSYNC,
			ServerSettings.NO_APPENDFSYNC_ON_REWRITE, ServerSettings.MIN_REPLICAS_TO_WRITE,
			ServerSettings.MIN_REPLICAS_MAX_LAG);

	private final String where;

	/**
	 * Create a reader.
	 * @param where what a server is called that is the only one
	 */
	ServerSettingsReader(String where) {
		this.where = where;
	}

	/**
	 * Ask all servers at the same time.
	 * @param nanos after how many nanoseconds to give up on a server
	 * @return one stage for each server, none of which fails
	 */
	List<CompletableFuture<ServerSettings>> read(RedisClusterAsyncCommands<byte[], byte[]> commands, long nanos) {
		if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
			StatefulRedisClusterConnection<byte[], byte[]> connection = connectionOf(cluster);
			return connection.getPartitions()
				.stream()
				.filter((node) -> node.getRole().isUpstream() && !node.hasNoSlots())
				.map((node) -> bounded(name(node),
						connection.getConnectionAsync(node.getNodeId())
							.thenCompose((open) -> ask(name(node), open.async())),
						nanos))
				.toList();
		}
		return List.of(bounded(this.where, ask(this.where, (RedisAsyncCommands<byte[], byte[]>) commands), nanos));
	}

	// Deprecated, yet the only way that Lettuce 6 and 7 have in common
	@SuppressWarnings("deprecation")
	private static StatefulRedisClusterConnection<byte[], byte[]> connectionOf(
			RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
		return cluster.getStatefulConnection();
	}

	private static String name(RedisClusterNode node) {
		return "Redis %s:%d".formatted(node.getUri().getHost(), node.getUri().getPort());
	}

	private static CompletableFuture<ServerSettings> bounded(String server, CompletableFuture<ServerSettings> answer,
			long nanos) {
		return answer.orTimeout(nanos, TimeUnit.NANOSECONDS)
			.exceptionally((failure) -> ServerSettings.unknown(server,
					RedisFailures.describe("read the settings", server, cause(failure))));
	}

	private static CompletableFuture<ServerSettings> ask(String server,
			RedisServerAsyncCommands<byte[], byte[]> commands) {
		CompletableFuture<Answer> answer = answer("INFO", commands.info().thenApply(ServerSettingsReader::byName));
		for (String setting : TOLD_BY_CONFIG_ONLY) {
			answer = answer.thenCombine(answer("CONFIG GET", commands.configGet(setting)), Answer::and);
		}
		return answer.thenApply((all) -> settings(server, all));
	}

	private static ServerSettings settings(String server, Answer answer) {
		if ("slave".equals(answer.values().get("role"))) {
			return ServerSettings.unknown(server, REPLICA.formatted(server));
		}
		return new ServerSettings(server, answer.values(),
				answer.refusals().isEmpty() ? null : REFUSED.formatted(server, answer.describeRefusals()));
	}

	private static CompletableFuture<Answer> answer(String command, CompletionStage<Map<String, String>> values) {
		return values.handle((told, failure) -> {
			if (failure == null) {
				return new Answer(told, Map.of());
			}
			if (cause(failure) instanceof RedisCommandExecutionException refusal) {
				return new Answer(Map.of(), Map.of(command, String.valueOf(refusal.getMessage())));
			}
			throw new CompletionException(cause(failure));
		}).toCompletableFuture();
	}

	private static Throwable cause(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

	private static Map<String, String> byName(String info) {
		return info.lines()
			.map((line) -> line.split(":", 2))
			.filter((line) -> line.length == 2)
			.collect(Collectors.toMap((line) -> line[0], (line) -> line[1].strip(), (first, second) -> first));
	}

	/**
	 * What a server answered.
	 *
	 * @param values what it told, by the names of INFO or of CONFIG
	 * @param refusals what it said to commands that it refused
	 */
	private record Answer(Map<String, String> values, Map<String, String> refusals) {

		Answer and(Answer other) {
			return new Answer(both(this.values, other.values), both(this.refusals, other.refusals));
		}

		String describeRefusals() {
			return this.refusals.entrySet()
				.stream()
				.map((refusal) -> refusal.getKey() + ": " + refusal.getValue())
				.sorted()
				.collect(Collectors.joining("; "));
		}

		private static Map<String, String> both(Map<String, String> some, Map<String, String> more) {
			Map<String, String> both = new HashMap<>(more);
			both.putAll(some);
			return both;
		}

	}

}
