package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;

/**
 * Reports on all servers that may have leases. What is the same on all of them is said
 * once.
 */
final class DurabilityCheck {

	private final LettuceConnectionFactory factory;

	private final NativeConnection shared;

	private final DurabilityRules rules;

	private final String where;

	private final ServerSettingsReader reader;

	/**
	 * Create a check.
	 * @param factory has the client
	 * @param shared is asked where the client knows no server
	 * @param failures says what failed
	 * @param settings what is asked of the servers
	 */
	DurabilityCheck(LettuceConnectionFactory factory, NativeConnection shared, RedisFailures failures,
			RedisLeaseSettings settings) {
		this.factory = factory;
		this.shared = shared;
		this.rules = new DurabilityRules(settings);
		this.where = failures.where();
		this.reader = new ServerSettingsReader(this.where);
	}

	/**
	 * Report within a time.
	 */
	DurabilityReport report(Duration longestWait) {
		if (ListedServers.areOf(this.factory)) {
			return report(this.shared.commands(), longestWait);
		}
		SettingsConnection connection = new SettingsConnection(this.factory);
		try {
			return report(connection.get().thenApply(SettingsConnection.Opened::commands), longestWait);
		}
		finally {
			// One that is opened too late is closed by then
			connection.giveUp();
		}
	}

	private DurabilityReport report(CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> opened,
			Duration longestWait) {
		long deadline = System.nanoTime() + longestWait.toNanos();
		try {
			List<ServerSettings> servers = opened.orTimeout(longestWait.toNanos(), TimeUnit.NANOSECONDS)
				.thenApply((commands) -> this.reader.read(commands, deadline - System.nanoTime()))
				.join()
				.stream()
				.map(CompletableFuture::join)
				.toList();
			return new DurabilityReport(findings(servers), error(servers));
		}
		catch (CompletionException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			return new DurabilityReport(List.of(), RedisFailures.describe("read the settings", this.where, cause));
		}
	}

	private List<DurabilityFinding> findings(List<ServerSettings> servers) {
		Map<DurabilityFinding, List<String>> found = new LinkedHashMap<>();
		for (ServerSettings server : servers) {
			for (DurabilityFinding finding : this.rules.findings(server)) {
				found.computeIfAbsent(finding, (key) -> new ArrayList<>()).add(server.server());
			}
		}
		return found.entrySet()
			.stream()
			.map((entry) -> (entry.getValue().size() == servers.size()) ? entry.getKey()
					: at(entry.getValue(), entry.getKey()))
			.toList();
	}

	private static DurabilityFinding at(List<String> servers, DurabilityFinding finding) {
		return new DurabilityFinding(finding.setting(), finding.value() + " at " + String.join(", ", servers),
				finding.risk(), finding.advice());
	}

	private static @Nullable String error(List<ServerSettings> servers) {
		String errors = servers.stream()
			.map(ServerSettings::error)
			.filter(Objects::nonNull)
			.collect(Collectors.joining("; "));
		return errors.isEmpty() ? null : errors;
	}

}
