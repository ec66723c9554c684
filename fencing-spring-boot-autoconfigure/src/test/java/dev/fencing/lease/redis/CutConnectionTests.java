package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseHold;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for leases whose renewals do not get through for a while, or slowly.
 */
@Timeout(90)
class CutConnectionTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private static final String KEY = "{fencing}:lease:document:42";

	private static final Duration LEASE_TIME = Duration.ofMillis(1500);

	private static final long LONGER_THAN_THE_LEASE = TimeUnit.MILLISECONDS.toNanos(2500);

	/**
	 * What a busy machine may add.
	 */
	private static final Duration TICK = Duration.ofMillis(400);

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy network = this.redis.proxy();

	private final LockingProcess process = this.redis.process(this.network, LEASE_TIME);

	@AfterEach
	void leaveNothingBehind() {
		assertThat(this.process.pending()).isZero();
		this.redis.close();
	}

	@ParameterizedTest
	@EnumSource
	void lossIsToldOnceAndInTimeAndLaterLeasesAreRenewed(Interruption interruption) {
		LeaseHold hold = this.process.acquire(REQUEST);
		await().until(() -> this.process.renewed() >= 2);
		long begin = System.nanoTime();
		interruption.begin(this);
		assertThat(hold.remaining()).isLessThanOrEqualTo(LEASE_TIME);
		await().pollInterval(Duration.ofMillis(2)).until(() -> this.process.lost() == 1);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LEASE_TIME.plus(TICK));
		assertThat(hold.isLost()).isTrue();
		await().until(() -> System.nanoTime() - begin > LONGER_THAN_THE_LEASE);
		interruption.end(this);
		// What is asked for in the moment in which a connection breaks may fail
		LeaseHold second = await().ignoreException(LeaseProviderException.class)
			.until(() -> this.process.acquire(LockRequest.of("document").key(43)), Objects::nonNull);
		assertIsRenewed(second, "{fencing}:lease:document:43");
		this.process.release(hold);
		assertThat(this.redis.raw().get(KEY)).as("nobody renews or keeps it").isNull();
		LeaseHold third = this.process.acquire(REQUEST);
		assertIsRenewed(third, KEY);
		this.process.release(second);
		this.process.release(third);
		assertThat(this.process.lost()).isOne();
	}

	@Test
	void interruptionThatIsShorterThanTheLeaseLosesNothing() {
		LeaseHold hold = this.process.acquire(REQUEST.leaseTime(Duration.ofSeconds(6)));
		await().until(() -> this.process.renewed() >= 1);
		this.network.cut();
		await().until(() -> this.process.failed() >= 1 || hold.remaining().toMillis() < 3500);
		this.network.restore();
		int before = this.process.renewed();
		await().until(() -> this.process.renewed() >= before + 2);
		assertThat(this.process.lost()).isZero();
		this.process.release(hold);
	}

	@Test
	void manyLeasesOverASlowNetworkAreAllRenewed() throws Exception {
		int count = 60;
		this.process.release(this.process.acquire(REQUEST));
		this.network.latency(Duration.ofMillis(200));
		List<CompletableFuture<LeaseHold>> acquiring = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			acquiring.add(this.process.acquiring(LockRequest.of("document").key("many-" + i)));
		}
		List<LeaseHold> holds = new ArrayList<>();
		for (CompletableFuture<LeaseHold> one : acquiring) {
			holds.add(one.get(20, TimeUnit.SECONDS));
		}
		await().atMost(Duration.ofSeconds(30)).until(() -> this.process.renewed() >= 10 * count);
		assertThat(this.process.lost()).isZero();
		assertThat(holds).noneMatch(LeaseHold::isLost);
		assertThat(this.redis.keys()).hasSize(count + 1);
		this.network.latency(Duration.ZERO);
		holds.forEach(this.process::release);
		assertThat(this.redis.keys()).hasSize(1);
	}

	@Test
	void slowIsNotDead() {
		Duration leaseTime = Duration.ofMillis(4500);
		// One and a half times as long as from one renewal to the next
		Duration latency = Duration.ofMillis(2250);
		LeaseHold hold = this.process.acquire(REQUEST.leaseTime(leaseTime));
		List<LockingProcess> contenders = contenders(leaseTime, latency);
		// Redis knows the script by then: to send it as well takes another round trip
		await().until(() -> this.process.renewed() >= 1);
		this.network.latency(latency);
		List<CompletableFuture<LeaseHold>> waiting = contenders.stream()
			.map((contender) -> contender.acquiring(REQUEST))
			.toList();
		await().atMost(Duration.ofSeconds(40)).until(() -> this.process.renewed() >= 8);
		assertThat(this.process.lost()).isZero();
		assertThat(waiting).noneMatch(CompletableFuture::isDone);
		assertThat(this.redis.raw().get(KEY)).as("the lease of the beginning")
			.isEqualTo(hold.lease().generation() + ":" + hold.lease().nonce());
		this.process.release(hold);
	}

	@Test
	void lossesOfANetworkSlowerThanTheLeaseAreToldAsTheyAre() throws Exception {
		LeaseHold hold = this.process.acquire(REQUEST);
		LockingProcess contender = this.redis.process(Duration.ofSeconds(30));
		CompletableFuture<LeaseHold> waiting = contender.acquiring(REQUEST);
		await().until(() -> this.process.renewed() >= 2);
		this.network.latency(LEASE_TIME.multipliedBy(3));
		LeaseHold next = waiting.get(20, TimeUnit.SECONDS);
		assertThat(next.lease().generation()).isEqualTo(hold.lease().generation() + 1);
		assertThat(hold.isLost()).as("before the other has it").isTrue();
		await().until(() -> this.process.lost() == 1);
		this.process.release(hold);
		assertThat(this.redis.raw().get(KEY)).isEqualTo("2:" + next.lease().nonce());
		assertThat(contender.lost()).isZero();
		contender.release(next);
	}

	private List<LockingProcess> contenders(Duration leaseTime, Duration latency) {
		List<LockingProcess> contenders = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			TcpProxy own = this.redis.proxy();
			LockingProcess contender = this.redis.process(own, leaseTime);
			contender.release(contender.acquire(LockRequest.of("document").key("warm-" + i)));
			own.latency(latency);
			contenders.add(contender);
		}
		return contenders;
	}

	/**
	 * Look at a lease until it has been renewed for some times: a third of the lease time
	 * is always left.
	 */
	private void assertIsRenewed(LeaseHold hold, String key) {
		int before = this.process.renewed();
		await().pollInterval(Duration.ofMillis(50)).until(() -> {
			assertThat(this.redis.raw().pttl(key)).isGreaterThanOrEqualTo(LEASE_TIME.toMillis() / 3);
			return this.process.renewed() >= before + 4;
		});
		assertThat(hold.isLost()).isFalse();
	}

	/**
	 * What keeps renewals from getting through.
	 */
	enum Interruption {

		/**
		 * The connection breaks, and none can be opened.
		 */
		CUT {

			@Override
			void begin(CutConnectionTests test) {
				test.network.cut();
			}

			@Override
			void end(CutConnectionTests test) {
				test.network.restore();
			}

		},

		/**
		 * The connection stays, and nothing arrives.
		 */
		SILENCE {

			@Override
			void begin(CutConnectionTests test) {
				test.network.hold(Direction.REQUESTS);
			}

			@Override
			void end(CutConnectionTests test) {
				test.network.letGo(Direction.REQUESTS);
			}

		},

		/**
		 * Redis does not answer for some time.
		 */
		PAUSE {

			@Override
			void begin(CutConnectionTests test) {
				test.redis.raw().clientPause(3000);
			}

			@Override
			void end(CutConnectionTests test) {
				// It ends by itself
			}

		};

		abstract void begin(CutConnectionTests test);

		abstract void end(CutConnectionTests test);

	}

}
