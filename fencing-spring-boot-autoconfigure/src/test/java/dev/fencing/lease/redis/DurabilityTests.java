package dev.fencing.lease.redis;

import java.time.Duration;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.testsupport.RedisTestServer;
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
		assertThat(report().findings().get(0).risk()).contains("No snapshots are scheduled");
		this.redis.raw().configSet("maxmemory", "100mb");
		this.redis.raw().configSet("maxmemory-policy", "allkeys-lru");
		this.redis.raw().configSet("dir", RedisFault.directoryWithDirectory("other").toString());
		this.redis.raw().configSet("appendonly", "yes");
		assertThat(report().findings()).extracting(DurabilityFinding::setting, DurabilityFinding::value)
			.containsExactly(tuple("maxmemory-policy", "allkeys-lru"), tuple("appendfsync", "everysec"));
		this.redis.raw().configSet("maxmemory-policy", "noeviction");
		this.redis.raw().configSet("appendfsync", "always");
		assertThat(report()).isEqualTo(DurabilityReport.NONE);
		this.redis.raw().configSet("no-appendfsync-on-rewrite", "yes");
		assertThat(report().findings()).extracting(DurabilityFinding::setting, DurabilityFinding::value)
			.containsExactly(tuple("no-appendfsync-on-rewrite", "yes"));
	}

	@Test
	void primaryThatIsNoneOfManyIsFound() {
		start();
		try (RedisFixture replica = new RedisFixture("replicaof 127.0.0.1 " + this.redis.server().port())) {
			await().until(() -> this.redis.raw().info("replication").contains("connected_slaves:1"));
			assertThat(report().findings()).extracting(DurabilityFinding::setting)
				.containsExactly("appendonly", "min-replicas-to-write");
			this.redis.raw().configSet("min-replicas-to-write", "1");
			this.redis.raw().configSet("min-replicas-max-lag", "0");
			assertThat(report().findings()).extracting(DurabilityFinding::setting)
				.containsExactly("appendonly", "min-replicas-max-lag");
		}
	}

	@Test
	void primaryIsAskedAlsoWhereReplicasAreReadFrom() {
		start("maxmemory 100mb", "maxmemory-policy allkeys-lru");
		try (RedisTestServer replica = RedisTestServer.replicaOf(this.redis.server().port())) {
			RedisTestServer.awaitReplica(this.redis.raw());
			DurabilityReport report = this.redis
				.provider(readingFrom(ReadFrom.REPLICA_PREFERRED, this.redis.server().port()), RedisFixture.SETTINGS)
				.durability(LONGEST_WAIT);
			assertThat(report.error()).isNull();
			assertThat(report.findings()).extracting(DurabilityFinding::setting)
				.contains("maxmemory-policy", "min-replicas-to-write");
		}
	}

	@Test
	void replicaTellsNothingOfItsPrimary() {
		start("maxmemory 100mb", "maxmemory-policy allkeys-lru");
		try (RedisFixture replica = new RedisFixture("replicaof 127.0.0.1 " + this.redis.server().port())) {
			DurabilityReport report = replica.provider(RedisFixture.SETTINGS).durability(LONGEST_WAIT);
			assertThat(report.findings()).isEmpty();
			assertThat(report.error()).contains("A replica answered for Redis 127.0.0.1:" + replica.server().port());
		}
	}

	@Test
	void listedPrimaryIsAsked() {
		start();
		DurabilityReport report = this.redis
			.provider(
					RedisFixture
						.factory(new RedisStaticMasterReplicaConfiguration("127.0.0.1", this.redis.server().port())),
					RedisFixture.SETTINGS)
			.durability(LONGEST_WAIT);
		assertThat(report.error()).isNull();
		assertThat(report.findings()).extracting(DurabilityFinding::setting).containsExactly("appendonly");
	}

	@Test
	void connectionOfTheCheckIsClosedAfterIt() {
		start();
		RedisLeaseProvider provider = this.redis.provider(RedisFixture.SETTINGS);
		long received = this.redis.connectionsReceived();
		provider.durability(LONGEST_WAIT);
		assertThat(this.redis.connectionsReceived()).isEqualTo(received + 1);
		await().until(() -> this.redis.raw().clientList().lines().count() == 1);
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

	private static LettuceConnectionFactory readingFrom(ReadFrom servers, int port) {
		return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port),
				LettuceClientConfiguration.builder().readFrom(servers).shutdownTimeout(Duration.ZERO).build());
	}

	private String where() {
		return "Redis 127.0.0.1:" + this.redis.server().port();
	}

}
