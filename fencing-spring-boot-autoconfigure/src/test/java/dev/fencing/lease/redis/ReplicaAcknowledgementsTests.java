package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.RedisTestServer;
import dev.fencing.testsupport.Renewals;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;

import static dev.fencing.lease.redis.RedisFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for leases that a replica has to acknowledge.
 */
@Timeout(60)
class ReplicaAcknowledgementsTests {

	private static final Duration LONG = Duration.ofSeconds(40);

	private static final Duration SHORT = Duration.ofMillis(200);

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy replication = this.redis.proxy();

	private final RedisTestServer replica = RedisTestServer.replicaOf(this.replication.port());

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeEach
	void awaitReplica() {
		RedisTestServer.awaitReplica(this.redis.raw());
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.replica.close();
		this.redis.close();
	}

	@Test
	void replicaHasTheLeaseOnceItIsGranted() {
		RedisLeaseProvider provider = provider(LONG);
		this.replication.latency(Duration.ofMillis(600));
		acquire(provider, "document:42", "a");
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", this.replica.port()));
		try {
			assertThat(client.connect().sync().get("{fencing}:lease:document:42")).isEqualTo("1:a");
		}
		finally {
			client.shutdown(Duration.ZERO, TIMEOUT);
		}
	}

	@Test
	void leaseThatNoReplicaHasIsGivenBack() {
		RedisLeaseProvider provider = provider(SHORT);
		Lease other = acquire(provider(LONG), "document:41", "other");
		this.replication.hold(Direction.REPLIES);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> acquire(provider, "document:42", "a"))
			.withMessageContaining("0 of 1 replicas")
			.withMessageContaining("document:42")
			.withMessageContaining("fencing.redis.replica-acknowledgements");
		await().until(() -> provider.find("document:42") == null);
		assertThat(Renewals.renew(provider, other, TIMEOUT)).isEqualTo(new RenewalAnswer.Renewed());
		assertThat(this.redis.raw().get("{fencing}:counter")).as("it was granted").isEqualTo("2");
	}

	@Test
	void moreReplicasThanThereAreAreNotEnough() {
		RedisLeaseProvider provider = provider(this.redis.factory(), 2, Duration.ofSeconds(2));
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> acquire(provider, "document:42", "a"))
			.withMessageContaining("1 of 2 replicas");
	}

	@Test
	void leaseThatIsHeldNeedsNoReplica() {
		RedisLeaseProvider provider = provider(LONG);
		acquire(provider, "document:42", "a");
		this.replication.hold(Direction.REPLIES);
		CompletableFuture<Lease> blocked = acquireBlocked(provider, "document:43");
		assertThat(provider.acquire(new LeaseRequest("document:42", "b", TIMEOUT, SHORT)))
			.isInstanceOf(LeaseAttempt.Held.class);
		assertThat(blocked).isNotDone();
	}

	@Test
	void sameRequestWaitsAgain() {
		acquire(provider(LONG), "document:42", "a");
		this.replication.hold(Direction.REPLIES);
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> acquire(provider(SHORT), "document:42", "a"))
			.withMessageContaining("0 of 1 replicas");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void othersAreNotDelayed(boolean shared) {
		LettuceConnectionFactory factory = this.redis.factory();
		factory.setShareNativeConnection(shared);
		RedisLeaseProvider provider = provider(factory, 1, LONG);
		Lease other = acquire(provider, "document:41", "other");
		this.replication.hold(Direction.REPLIES);
		CompletableFuture<Lease> blocked = acquireBlocked(provider, "document:42");
		assertThat(Renewals.send(provider, other, TIMEOUT)).succeedsWithin(TIMEOUT)
			.isEqualTo(List.of(new RenewalAnswer.Renewed()));
		assertThat(provider.heal(other, other.generation())).isNotNull();
		assertThat(provider.release(other)).isTrue();
		assertThat(provider.find("document:42")).isNotNull();
		assertThat(blocked).isNotDone();
		this.replication.letGo(Direction.REPLIES);
		assertThat(blocked).succeedsWithin(TIMEOUT);
	}

	@Test
	void concurrentLeasesShareTheWait() {
		RedisLeaseProvider provider = provider(LONG);
		this.replication.hold(Direction.REPLIES);
		List<CompletableFuture<Lease>> acquiring = new ArrayList<>(List.of(acquireBlocked(provider, "document:0")));
		for (int i = 1; i <= 20; i++) {
			acquiring.add(acquiring(provider, "document:" + i));
		}
		await().until(() -> this.redis.keys().size() == 22);
		assertThat(acquiring).noneMatch(CompletableFuture::isDone);
		this.replication.letGo(Direction.REPLIES);
		assertThat(acquiring).allSatisfy((one) -> assertThat(one).succeedsWithin(TIMEOUT));
		assertThat(waits()).isBetween(2L, 5L);
	}

	@Test
	void concurrentLeasesThatNoReplicaHasAreAllGivenBack() {
		RedisLeaseProvider provider = provider(Duration.ofMillis(500));
		this.replication.hold(Direction.REPLIES);
		List<CompletableFuture<Lease>> acquiring = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			acquiring.add(acquiring(provider, "document:" + i));
		}
		assertThat(acquiring).allSatisfy((one) -> assertThat(one).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withMessageContaining("0 of 1 replicas"));
		await().untilAsserted(() -> assertThat(this.redis.keys()).containsExactly("{fencing}:counter"));
		this.replication.letGo(Direction.REPLIES);
		acquire(provider(LONG), "document:42", "a");
	}

	/**
	 * What is sent again over a new connection is answered by another server, whose
	 * replica has all that it is to have.
	 */
	@Test
	void replicaOfAnotherServerAcknowledgesNothing() {
		TcpProxy network = this.redis.proxy();
		RedisLeaseProvider provider = provider(RedisFixture.factory(network.port()), 1, LONG);
		try (RedisTestServer second = RedisTestServer.replicaOf(this.replica.port())) {
			RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", this.replica.port()));
			RedisCommands<String, String> successor = client.connect().sync();
			await().until(() -> successor.info("replication").contains("port=" + second.port() + ",state=online"));
			this.replication.hold(Direction.REPLIES);
			CompletableFuture<Lease> blocked = acquireBlocked(provider, "document:42");
			successor.replicaofNoOne();
			network.leadTo(this.replica.port());
			network.cut();
			network.restore();
			assertThat(blocked).failsWithin(TIMEOUT)
				.withThrowableThat()
				.withCauseInstanceOf(LeaseProviderException.class)
				.withMessageContaining("connection broke");
			assertThat(successor.get("{fencing}:lease:document:42")).isNull();
			await().ignoreException(LeaseProviderException.class)
				.untilAsserted(() -> acquire(provider, "document:42", "b"));
			client.shutdown(Duration.ZERO, TIMEOUT);
		}
	}

	@Test
	void callerWaitsNoLongerThanItSaid() {
		TcpProxy network = this.redis.proxy();
		Duration replicaTimeout = Duration.ofMillis(1500);
		RedisLeaseProvider provider = provider(RedisFixture.factory(network.port()), 1, replicaTimeout);
		this.replication.hold(Direction.REPLIES);
		long begin = System.nanoTime();
		CompletableFuture<Lease> blocked = acquiring(provider, "document:42", Duration.ofSeconds(1));
		awaitBlocked();
		network.hold(Direction.REPLIES);
		assertThat(blocked).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withCauseInstanceOf(LeaseProviderException.class)
			.withMessageContaining("no answer in time");
		assertThat(Duration.ofNanos(System.nanoTime() - begin))
			.isLessThan(replicaTimeout.multipliedBy(2).plusSeconds(1).plusMillis(800));
		network.letGo(Direction.REPLIES);
		await().untilAsserted(() -> assertThat(this.redis.keys()).containsExactly("{fencing}:counter"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionIsOpenedWhenNeededAndEndsWithTheProvider(boolean shared) {
		LettuceConnectionFactory factory = this.redis.factory();
		factory.setShareNativeConnection(shared);
		int before = connections();
		RedisLeaseProvider provider = provider(factory, 1, TIMEOUT);
		provider.find("document:42");
		assertThat(connections()).isEqualTo(before + 1);
		acquire(provider, "document:42", "a");
		acquire(provider, "document:43", "a");
		assertThat(connections()).isEqualTo(before + 2);
		provider.close();
		await().until(() -> connections() == before + (shared ? 1 : 0));
	}

	@Test
	void connectionThatBreaksIsReplaced() {
		RedisLeaseProvider provider = provider(TIMEOUT);
		acquire(provider, "document:42", "a");
		int before = connections();
		for (int i = 0; i < 3; i++) {
			// The connection of the replica is none of a client
			assertThat(this.redis.raw().clientKill(KillArgs.Builder.typeNormal().skipme())).isEqualTo(2);
			await().ignoreException(LeaseProviderException.class)
				.untilAsserted(() -> acquire(provider, "document:42", "a"));
		}
		await().until(() -> connections() == before);
	}

	@Test
	void shortCommandTimeoutOfTheClientDoesNotApply() {
		Duration commandTimeout = Duration.ofSeconds(1);
		RedisLeaseProvider provider = provider(RedisFixture.factory(
				new RedisStandaloneConfiguration("127.0.0.1", this.redis.server().port()), commandTimeout), 1, LONG);
		// To connect takes its time as well
		await().ignoreException(LeaseProviderException.class).until(() -> provider.find("document:42") == null);
		this.replication.latency(commandTimeout.multipliedBy(2));
		acquire(provider, "document:42", "a");
	}

	@Test
	void userNeedsOneMoreRight() {
		this.redis.raw()
			.aclSetuser("default", AclSetuserArgs.Builder.on().allCommands().removeCommand(CommandType.WAIT));
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> acquire(provider(TIMEOUT), "document:42", "a"))
			.withMessageContaining("NOPERM")
			.withMessageContaining("WAIT if fencing.redis.replica-acknowledgements is set");
		await().untilAsserted(() -> assertThat(this.redis.keys()).containsExactly("{fencing}:counter"));
	}

	/**
	 * The replica answers in time, but not twice in that time.
	 */
	@Test
	void whoComesDuringTheWaitOfAnotherHasAllItsTimeForTheNextOne() {
		RedisLeaseProvider provider = provider(Duration.ofSeconds(2));
		acquire(provider, "document:41", "a");
		this.replication.latency(Duration.ofMillis(1400));
		CompletableFuture<Lease> first = acquireBlocked(provider, "document:42");
		CompletableFuture<Lease> second = acquiring(provider, "document:43");
		assertThat(first).succeedsWithin(TIMEOUT);
		assertThat(second).succeedsWithin(TIMEOUT);
	}

	/**
	 * The connection on which replicas are asked is opened after the failover, the one
	 * over which leases are granted before it.
	 */
	@Test
	void replicaOfASuccessorThatDoesNotKnowTheLeaseAcknowledgesNothing() {
		try (RedisFixture former = new RedisFixture()) {
			TcpProxy network = former.proxy();
			RedisLeaseProvider provider = former.provider(RedisFixture.factory(network.port()), settings(1, TIMEOUT));
			assertThat(provider.find("document:42")).isNull();
			network.leadTo(this.redis.server().port());
			assertThatExceptionOfType(LeaseProviderException.class)
				.isThrownBy(() -> acquire(provider, "document:42", "a"))
				.withMessageContaining("gone by then");
			assertThat(waits()).as("the replica of the successor was asked").isEqualTo(2);
			await().untilAsserted(() -> assertThat(former.keys()).containsExactly("{fencing}:counter"));
		}
	}

	@Test
	void listedServersAreRefused() {
		LettuceConnectionFactory listed = RedisFixture
			.factory(new RedisStaticMasterReplicaConfiguration("127.0.0.1", 7000));
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisLeaseProvider(listed, settings(1, SHORT)))
			.withMessageContaining("listed");
	}

	@Test
	void clusterIsRefused() {
		LettuceConnectionFactory cluster = RedisFixture
			.factory(new RedisClusterConfiguration(List.of("127.0.0.1:7000")));
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisLeaseProvider(cluster, settings(1, SHORT)))
			.withMessageContaining("Cluster");
	}

	private RedisLeaseProvider provider(Duration replicaTimeout) {
		return provider(this.redis.factory(), 1, replicaTimeout);
	}

	private RedisLeaseProvider provider(LettuceConnectionFactory factory, int replicas, Duration replicaTimeout) {
		return this.redis.provider(factory, settings(replicas, replicaTimeout));
	}

	private static RedisLeaseSettings settings(int replicas, Duration replicaTimeout) {
		return new RedisLeaseSettings("fencing", false, replicas, replicaTimeout);
	}

	private CompletableFuture<Lease> acquireBlocked(RedisLeaseProvider provider, String resource) {
		CompletableFuture<Lease> acquiring = acquiring(provider, resource);
		awaitBlocked();
		return acquiring;
	}

	private void awaitBlocked() {
		await().pollInterval(Duration.ofMillis(20))
			.until(() -> this.redis.raw().info("clients").contains("blocked_clients:1"));
	}

	private CompletableFuture<Lease> acquiring(RedisLeaseProvider provider, String resource) {
		return acquiring(provider, resource, TIMEOUT);
	}

	private CompletableFuture<Lease> acquiring(RedisLeaseProvider provider, String resource, Duration timeout) {
		return CompletableFuture
			.supplyAsync(() -> granted(provider.acquire(new LeaseRequest(resource, "a", LONG, timeout))), this.threads);
	}

	private static Lease acquire(RedisLeaseProvider provider, String resource, String nonce) {
		return granted(provider.acquire(new LeaseRequest(resource, nonce, LONG, TIMEOUT)));
	}

	private static Lease granted(LeaseAttempt attempt) {
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		return ((LeaseAttempt.Granted) attempt).lease();
	}

	private int connections() {
		return (int) this.redis.raw().clientList().lines().filter((line) -> !line.contains("flags=S")).count();
	}

	/**
	 * Return how many WAIT the server has run.
	 */
	private long waits() {
		return this.redis.raw()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_wait:calls="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
			.sum();
	}

}
