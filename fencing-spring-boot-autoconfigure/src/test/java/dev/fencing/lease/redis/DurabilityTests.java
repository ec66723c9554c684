package dev.fencing.lease.redis;

import java.time.Duration;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.testsupport.TcpProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for what {@link RedisLeaseProvider#durability} tells of real servers.
 */
@Timeout(30)
class DurabilityTests {

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	private RedisFixture redis;

	@AfterEach
	void stop() {
		this.redis.close();
	}

	@Test
	void freshlyInstalledRedisHasOneFinding() {
		start();
		this.redis.raw().configSet("save", "3600 1 300 100 60 10000");
		assertThat(report().error()).isNull();
		assertThat(report().findings()).extracting(DurabilityFinding::setting).containsExactly("appendonly");
		assertThat(report().findings().get(0).risk()).contains("last snapshot");
	}

	@Test
	void everySettingIsRead() {
		start();
		assertThat(report().findings()).extracting(DurabilityFinding::setting, DurabilityFinding::value)
			.containsExactly(tuple("appendonly", "no"));
		assertThat(report().findings().get(0).risk()).contains("Nothing is kept on disk");
		this.redis.raw().configSet("maxmemory", "100mb");
		this.redis.raw().configSet("maxmemory-policy", "allkeys-lru");
		this.redis.raw().configSet("dir", RedisFault.directoryWithDirectory("other").toString());
		this.redis.raw().configSet("appendonly", "yes");
		assertThat(report().findings()).extracting(DurabilityFinding::setting, DurabilityFinding::value)
			.containsExactly(tuple("maxmemory-policy", "allkeys-lru"), tuple("appendfsync", "everysec"));
		this.redis.raw().configSet("maxmemory-policy", "noeviction");
		this.redis.raw().configSet("appendfsync", "always");
		assertThat(report()).isEqualTo(DurabilityReport.NONE);
	}

	@Test
	void primaryThatIsNoneOfManyIsFound() {
		start();
		try (RedisFixture replica = new RedisFixture("replicaof 127.0.0.1 " + this.redis.server().port())) {
			await().until(() -> this.redis.raw().info("replication").contains("connected_slaves:1"));
			assertThat(report().findings()).extracting(DurabilityFinding::setting)
				.containsExactly("appendonly", "min-replicas-to-write");
		}
	}

	@Test
	void serverThatPermitsNoConfigTellsWhatItMay() {
		start("rename-command CONFIG \"\"", "maxmemory 100mb", "maxmemory-policy volatile-lru");
		assertThat(report().findings()).extracting(DurabilityFinding::setting)
			.containsExactly("maxmemory-policy", "appendonly");
		assertThat(report().error()).containsOnlyOnce("unknown command").contains("CONFIG|GET", where());
	}

	@Test
	void userWhoMayNotAskIsToldWhatToGrant() {
		start();
		this.redis.raw()
			.aclSetuser("plain",
					AclSetuserArgs.Builder.on()
						.addPassword("secret")
						.allKeys()
						.allChannels()
						.allCommands()
						.removeCommand(CommandType.INFO)
						.removeCommand(CommandType.CONFIG));
		RedisStandaloneConfiguration plain = new RedisStandaloneConfiguration("127.0.0.1", this.redis.server().port());
		plain.setUsername("plain");
		plain.setPassword("secret");
		DurabilityReport report = this.redis.provider(RedisFixture.factory(plain), RedisFixture.SETTINGS)
			.durability(LONGEST_WAIT);
		assertThat(report.findings()).isEmpty();
		assertThat(report.error()).contains("CONFIG GET: NOPERM", "; INFO: NOPERM", "user run INFO and CONFIG|GET");
		assertThat(report.error()).hasLineCount(1);
	}

	@Test
	void serverThatIsAwayIsAnErrorOnly() {
		start();
		RedisLeaseProvider provider = this.redis.provider(RedisFixture.SETTINGS);
		this.redis.server().stop();
		DurabilityReport report = provider.durability(LONGEST_WAIT);
		assertThat(report.findings()).isEmpty();
		assertThat(report.error()).startsWith("Could not read the settings at " + where()).contains("Is it running");
	}

	@Test
	void serverThatDoesNotAnswerIsNotWaitedForLongerThanTold() {
		start();
		TcpProxy network = this.redis.proxy();
		RedisLeaseProvider provider = this.redis.provider(RedisFixture.factory(network.port()), RedisFixture.SETTINGS);
		assertThat(provider.durability(LONGEST_WAIT).error()).isNull();
		network.hold(TcpProxy.Direction.REPLIES);
		long start = System.nanoTime();
		DurabilityReport report = provider.durability(Duration.ofMillis(100));
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
		assertThat(report.findings()).isEmpty();
		assertThat(report.error()).contains("no answer in time");
	}

	private void start(String... settings) {
		this.redis = new RedisFixture(settings);
	}

	private DurabilityReport report() {
		return this.redis.provider(RedisFixture.CLOCK_FLOOR).durability(LONGEST_WAIT);
	}

	private String where() {
		return "Redis 127.0.0.1:" + this.redis.server().port();
	}

}
