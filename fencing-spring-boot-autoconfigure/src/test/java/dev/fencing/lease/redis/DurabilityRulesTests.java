package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.lease.DurabilityFinding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DurabilityRules}.
 */
class DurabilityRulesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					maxmemory=100 maxmemory_policy=allkeys-lru                         | maxmemory-policy      | allkeys-lru  | leases and the counter may be evicted
					maxmemory=100 maxmemory_policy=allkeys-random                      | maxmemory-policy      | allkeys-random | leases and the counter may be evicted
					maxmemory=100 maxmemory_policy=volatile-ttl                        | maxmemory-policy      | volatile-ttl | leases may be evicted, but not the counter
					aof_enabled=0 save=                                                | appendonly            | no           | a restart loses all leases and the counter
					aof_enabled=0 save=3600+1                                          | appendonly            | no           | since the last snapshot
					aof_enabled=0                                                      | appendonly            | no           | since the last snapshot
					aof_enabled=1 appendfsync=everysec                                 | appendfsync           | everysec     | the last second or two
					aof_enabled=1 appendfsync=no                                       | appendfsync           | no           | half a minute
					aof_enabled=1 appendfsync=always no-appendfsync-on-rewrite=yes     | no-appendfsync-on-rewrite | yes      | often half a minute
					connected_slaves=1 min-replicas-to-write=0                         | min-replicas-to-write | 0            | cut off
					connected_slaves=1 min-replicas-to-write=0 min-replicas-max-lag=0  | min-replicas-to-write | 0            | cut off
					connected_slaves=1 min-replicas-to-write=1 min-replicas-max-lag=0  | min-replicas-max-lag  | 0            | cut off
					""")
	void settingIsFoundWithWhatItRisksAndWhatToSet(String told, String setting, String value, String risk) {
		assertThat(findings(told, true)).singleElement().satisfies((finding) -> {
			assertThat(finding.setting()).isEqualTo(setting);
			assertThat(finding.value()).isEqualTo(value);
			assertThat(finding.risk()).contains(risk);
			assertThat(finding.advice()).startsWith("Set " + setting + " to ");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "maxmemory=0 maxmemory_policy=allkeys-lru", "maxmemory=100 maxmemory_policy=noeviction",
			"maxmemory=100", "aof_enabled=1 appendfsync=always save=", "appendfsync=everysec",
			"aof_enabled=1 appendfsync=always no-appendfsync-on-rewrite=no", "no-appendfsync-on-rewrite=yes",
			"connected_slaves=2 min-replicas-to-write=1 min-replicas-max-lag=10",
			"connected_slaves=0 min-replicas-to-write=0", "connected_slaves=2 min-replicas-to-write=1",
			"connected_slaves=2", "" })
	void settingThatLosesNothingIsNotFound(String told) {
		assertThat(findings(told, false)).isEmpty();
	}

	@Test
	void logThatTheSystemWritesWhenItLikesSaysItOnce() {
		assertThat(findings("aof_enabled=1 appendfsync=no no-appendfsync-on-rewrite=yes", true))
			.extracting(DurabilityFinding::setting)
			.containsExactly("appendfsync");
	}

	@Test
	void adviceTellsWhatItCostsToRequireTheOnlyReplica() {
		assertThat(findings("connected_slaves=1 min-replicas-to-write=0", true)).singleElement()
			.extracting(DurabilityFinding::advice)
			.asString()
			.contains("no lease is granted", "failover");
		assertThat(findings("connected_slaves=2 min-replicas-to-write=0", true)).singleElement()
			.extracting(DurabilityFinding::advice)
			.isEqualTo("Set min-replicas-to-write to 1.");
	}

	@Test
	void riskDependsOnTheClockFloor() {
		String evicting = "maxmemory=100 maxmemory_policy=allkeys-lru";
		assertThat(findings(evicting, true)).singleElement()
			.extracting(DurabilityFinding::risk)
			.asString()
			.endsWith("The counter goes on from the server's clock.");
		assertThat(findings(evicting, false)).singleElement()
			.extracting(DurabilityFinding::risk)
			.asString()
			.contains("The counter starts again at 1", "fencing.redis.clock-floor");
		assertThat(findings("aof_enabled=0 save=3600+1", false)).singleElement()
			.extracting(DurabilityFinding::risk)
			.asString()
			.contains("The counter falls back");
	}

	@Test
	void evictionThatSparesTheCounterSaysNothingOfIt() {
		assertThat(findings("maxmemory=100 maxmemory_policy=volatile-lru", false)).singleElement()
			.extracting(DurabilityFinding::risk)
			.asString()
			.doesNotContain("starts again", "clock");
	}

	@ParameterizedTest
	@CsvSource({ "connected_slaves=1, 1", "connected_slaves=0, 1", "connected_slaves=2, 0", "'', 0" })
	void fewerReplicasThanHaveToAcknowledgeAreFound(String told, int count) {
		RedisLeaseSettings two = new RedisLeaseSettings("fencing", true, 2, Duration.ofSeconds(1));
		assertThat(new DurabilityRules(two).findings(new ServerSettings("Redis", values(told), null))).hasSize(count)
			.allSatisfy((finding) -> {
				assertThat(finding.setting()).isEqualTo("connected replicas");
				assertThat(finding.risk()).contains("fencing.redis.replica-acknowledgements asks for 2");
			});
	}

	private static List<DurabilityFinding> findings(String told, boolean clockFloor) {
		return new DurabilityRules(clockFloor ? RedisFixture.CLOCK_FLOOR : RedisFixture.SETTINGS)
			.findings(new ServerSettings("Redis", values(told), null));
	}

	private static Map<String, String> values(String told) {
		return Arrays.stream(told.split(" "))
			.map((setting) -> setting.split("=", 2))
			.filter((setting) -> setting.length == 2)
			.collect(Collectors.toMap((setting) -> setting[0], (setting) -> setting[1].replace('+', ' ')));
	}

}
