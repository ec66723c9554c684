package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.FencingContext;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.Renewals;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for replies of Redis that come late or never, while the request was carried out.
 * Lettuce sends again what had no reply when a connection broke.
 */
@Timeout(60)
class LostReplyTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private static final String KEY = "{fencing}:lease:document:42";

	private static final String COUNTER = "{fencing}:counter";

	private static final Duration LEASE_TIME = Duration.ofSeconds(30);

	private final RedisFixture redis = new RedisFixture();

	private final TcpProxy network = this.redis.proxy();

	private final LockingProcess process = this.redis.process(this.network, LEASE_TIME);

	@BeforeEach
	void connect() {
		this.process.release(this.process.acquire(REQUEST));
		assertThat(this.redis.raw().get(COUNTER)).isEqualTo("1");
	}

	@AfterEach
	void leaveNothingBehind() {
		assertThat(this.process.pending()).isZero();
		assertThat(this.process.awaited()).isZero();
		this.redis.close();
	}

	@Test
	void acquisitionThatIsSentAgainIsTheSame() throws Exception {
		CompletableFuture<LeaseHold> acquiring = replyLost(() -> this.process.acquiring(REQUEST), "granted");
		LeaseHold hold = acquiring.get(20, TimeUnit.SECONDS);
		assertThat(hold.isLost()).isFalse();
		assertThat(this.redis.raw().get(KEY)).isEqualTo("2:" + hold.lease().nonce());
		assertThat(this.redis.raw().get(COUNTER)).isEqualTo("2");
		this.process.release(hold);
		assertThat(this.redis.keys()).containsExactly(COUNTER);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void acquisitionThatNobodyWaitsForAnyMoreIsGivenBack(boolean cut) {
		this.network.hold(Direction.REPLIES);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.process.provider()
			.acquire(new LeaseRequest(REQUEST.resource(), "impatient", LEASE_TIME, Duration.ofMillis(300))));
		assertThat(this.redis.raw().get(COUNTER)).as("Redis did grant it").isEqualTo("2");
		if (cut) {
			this.network.cut();
			this.network.restore();
		}
		this.network.letGo(Direction.REPLIES);
		await().untilAsserted(() -> assertThat(this.redis.keys()).containsExactly(COUNTER));
		this.process.release(this.process.acquire(REQUEST));
		assertThat(this.redis.raw().get(COUNTER)).isEqualTo("3");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void acquisitionIsGivenBackAlsoOverAnotherConnection(boolean shared) {
		LettuceConnectionFactory factory = RedisFixture.factory(this.network.port());
		factory.setShareNativeConnection(shared);
		RedisLeaseProvider provider = this.redis.provider(factory, RedisFixture.SETTINGS);
		provider.find(REQUEST.resource());
		this.network.hold(Direction.REPLIES);
		CompletableFuture<LeaseAttempt> acquiring = CompletableFuture.supplyAsync(
				() -> provider
					.acquire(new LeaseRequest(REQUEST.resource(), "impatient", LEASE_TIME, Duration.ofSeconds(1))),
				this.process.threads());
		this.network.awaitHeld(Direction.REPLIES, "granted");
		// What gives it back does not arrive either
		this.network.hold(Direction.REQUESTS);
		assertThat(acquiring).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(LeaseProviderException.class);
		assertThat(this.redis.raw().get(KEY)).isEqualTo("2:impatient");
		this.network.cut();
		this.network.letGo(Direction.REPLIES);
		this.network.letGo(Direction.REQUESTS);
		// Where it is not shared, whoever asks now gives up the one that is broken
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(
				() -> provider.acquire(new LeaseRequest("document:43", "a", LEASE_TIME, Duration.ofMillis(300))));
		this.network.restore();
		await().ignoreException(LeaseProviderException.class).until(() -> provider.find(REQUEST.resource()) == null);
		await().untilAsserted(() -> assertThat(this.redis.keys()).containsExactly(COUNTER));
	}

	@Test
	void nothingRunsUnderALeaseThatWasOverWhenItsReplyCame() throws Exception {
		Duration shortTime = Duration.ofMillis(200);
		AtomicReference<FencingContext> seen = new AtomicReference<>();
		this.network.hold(Direction.REPLIES);
		CompletableFuture<Void> running = CompletableFuture
			.runAsync(() -> this.process.locks().executeWithoutResult(REQUEST.leaseTime(shortTime), (context) -> {
				assertThat(context.isLost()).isFalse();
				assertThat(this.redis.raw().get(KEY)).startsWith(context.generation() + ":");
				seen.set(context);
			}), this.process.threads());
		this.network.awaitHeld(Direction.REPLIES, "granted");
		await().until(() -> this.redis.raw().get(KEY) == null);
		this.network.letGo(Direction.REPLIES);
		running.get(20, TimeUnit.SECONDS);
		assertThat(seen.get().generation()).isEqualTo(3);
		assertThat(this.redis.keys()).containsExactly(COUNTER);
	}

	@Test
	void releaseThatIsSentAgainLeavesTheSuccessorAlone() throws Exception {
		LeaseHold hold = this.process.acquire(REQUEST);
		LockingProcess other = this.redis.process(LEASE_TIME);
		AtomicReference<LeaseHold> successor = new AtomicReference<>();
		CompletableFuture<Void> releasing = replyLost(() -> this.process.releasing(hold), "released",
				() -> successor.set(other.acquire(REQUEST)));
		releasing.get(20, TimeUnit.SECONDS);
		assertSentAgain();
		assertThat(this.redis.raw().get(KEY)).isEqualTo("3:" + successor.get().lease().nonce());
		other.release(successor.get());
		assertThat(this.redis.keys()).containsExactly(COUNTER);
	}

	@Test
	void releaseThatIsSentAgainKeepsTheMinimumHoldAsItWas() throws Exception {
		LeaseHold hold = this.process.acquire(REQUEST.minHold(Duration.ofSeconds(20)));
		AtomicReference<Long> left = new AtomicReference<>();
		CompletableFuture<Void> releasing = replyLost(() -> this.process.releasing(hold), "released",
				() -> left.set(this.redis.raw().pttl(KEY)));
		releasing.get(20, TimeUnit.SECONDS);
		assertSentAgain();
		assertThat(left.get()).isPositive();
		assertThat(this.redis.raw().pttl(KEY)).isLessThanOrEqualTo(left.get());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void renewalThatComesAfterTheReleaseChangesNothing(boolean scriptsAreLost) {
		Duration blocked = Duration.ofSeconds(10);
		LeaseHold hold = this.process.acquire(REQUEST);
		Lease lease = hold.lease();
		this.process.provider().release(lease, blocked);
		this.process.release(hold);
		if (scriptsAreLost) {
			this.redis.raw().scriptFlush();
		}
		assertThat(Renewals.renew(this.process.provider(), lease, LEASE_TIME))
			.isEqualTo(new RenewalAnswer.Taken(lease.generation()));
		assertThat(this.redis.raw().pttl(KEY)).isBetween(1L, blocked.toMillis());
		this.process.provider().release(new Lease(REQUEST.resource(), lease.nonce() + "/released", 0));
		assertThat(Renewals.renew(this.process.provider(), lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Gone());
		assertThat(this.redis.keys()).containsExactly(COUNTER);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void releaseEndsALeaseWhoseRenewalIsOnItsWay(boolean scriptsAreLost) throws Exception {
		LeaseHold hold = this.process.acquire(REQUEST.leaseTime(Duration.ofSeconds(3)));
		if (scriptsAreLost) {
			this.redis.raw().scriptFlush();
		}
		this.network.hold(Direction.REQUESTS);
		// Its digest and its keys
		this.network.awaitHeld(Direction.REQUESTS, KEY);
		CompletableFuture<Void> releasing = this.process.releasing(hold);
		this.network.awaitHeld(Direction.REQUESTS, "waiting:");
		assertThat(this.process.pending()).isZero();
		this.network.letGo(Direction.REQUESTS);
		releasing.get(20, TimeUnit.SECONDS);
		assertThat(this.redis.keys()).containsExactly(COUNTER);
		this.process.provider().find(REQUEST.resource());
		assertThat(this.redis.keys()).containsExactly(COUNTER);
		assertThat(this.process.renewed()).isZero();
		assertThat(this.process.lost()).isZero();
	}

	private <T> CompletableFuture<T> replyLost(Supplier<CompletableFuture<T>> request, String reply) {
		return replyLost(request, reply, () -> {
		});
	}

	/**
	 * Have a request carried out, and the connection broken before its reply comes.
	 */
	private <T> CompletableFuture<T> replyLost(Supplier<CompletableFuture<T>> request, String reply,
			Runnable meanwhile) {
		this.network.hold(Direction.REPLIES);
		CompletableFuture<T> future = request.get();
		this.network.awaitHeld(Direction.REPLIES, reply);
		meanwhile.run();
		this.network.cut();
		this.network.letGo(Direction.REPLIES);
		this.network.restore();
		return future;
	}

	/**
	 * What is sent on the connection now comes after what was sent again.
	 */
	private void assertSentAgain() {
		assertThat(this.process.provider().find(REQUEST.resource())).isNotNull();
	}

}
