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

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;

/**
 * Reports on all servers that may have leases. What is the same on all of them is said
 * once.
 */
final class DurabilityCheck {

	private final NativeConnection connection;

	private final DurabilityRules rules;

	private final String where;

	private final ServerSettingsReader reader;

	DurabilityCheck(NativeConnection connection, RedisFailures failures, RedisLeaseSettings settings) {
		this.connection = connection;
		this.rules = new DurabilityRules(settings);
		this.where = failures.where();
		this.reader = new ServerSettingsReader(this.where);
	}

	/**
	 * Report within a time.
	 */
	DurabilityReport report(Duration longestWait) {
		long deadline = System.nanoTime() + longestWait.toNanos();
		try {
			List<ServerSettings> servers = this.connection.commands()
				.orTimeout(longestWait.toNanos(), TimeUnit.NANOSECONDS)
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
