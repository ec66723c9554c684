package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.ReleaseWatch;

import static dev.fencing.lease.redis.RedisFixture.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Who is told of a release: of the processes that wait, the one that has waited longest
 * and still listens.
 */
@Timeout(60)
class ToldWaiterTests {

	private static final String WAITING = "{fencing}:waiting:document:1";

	private static RedisFixture redis;

	private static RedisLeaseProvider holder;

	private static Process first;

	private static Process second;

	private Lease lease;

	@BeforeAll
	static void start() {
		redis = new RedisFixture();
		holder = redis.provider(RedisFixture.SETTINGS);
		first = new Process(redis.provider(RedisFixture.SETTINGS));
		second = new Process(redis.provider(RedisFixture.SETTINGS));
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@BeforeEach
	void hold() {
		redis.raw().flushall();
		this.lease = granted(holder.acquire(new LeaseRequest("document:1", "holder", TIMEOUT, TIMEOUT)));
	}

	@Test
	void onlyTheOneWhoHasWaitedLongestIsTold() {
		try (ReleaseWatch one = first.await("document:1"); ReleaseWatch two = second.await("document:1")) {
			first.attempt("document:1");
			assertThat(redis.raw().zcard(WAITING)).isEqualTo(2);
			holder.release(this.lease);
			await().untilAsserted(() -> assertThat(first.told()).isOne());
			assertThat(redis.raw().zcard(WAITING)).as("the other one still waits").isOne();
			assertThat(second.told()).isZero();
			// It has come, and goes: then it is the next one's turn
			holder.release(granted(first.attempt("document:1")));
			await().untilAsserted(() -> assertThat(second.told()).isOne());
			assertThat(first.told()).isOne();
		}
	}

	@Test
	void oneWhoGetsTheLeaseWaitsNoLonger() {
		try (ReleaseWatch one = first.await("document:1")) {
			redis.raw().del("{fencing}:lease:document:1");
			assertThat(first.attempt("document:1")).isInstanceOf(LeaseAttempt.Granted.class);
			assertThat(redis.raw().exists(WAITING)).isZero();
		}
	}

	@Test
	void listenerThatIsGoneIsPassedOver() {
		redis.raw().zadd(WAITING, 1, "{fencing}:released:gone");
		try (ReleaseWatch one = first.await("document:1")) {
			holder.release(this.lease);
			await().untilAsserted(() -> assertThat(first.told()).isOne());
		}
	}

	@Test
	void messageThatComesTooLateIsPassedOn() {
		try (ReleaseWatch two = second.await("document:2")) {
			// Still listens, but for another resource
			redis.raw().zadd(WAITING, 1, channelOf("{fencing}:waiting:document:2"));
			try (ReleaseWatch one = first.await("document:1")) {
				holder.release(this.lease);
				await().untilAsserted(() -> assertThat(first.told()).isOne());
			}
		}
	}

	@Test
	void messageThatIsNotAnsweredIsPassedOn() {
		try (ReleaseWatch two = second.await("document:1")) {
			redis.raw().zrem(WAITING, channelOf(WAITING));
			try (ReleaseWatch one = first.await("document:1")) {
				second.attempt("document:1");
				holder.release(this.lease);
				await().untilAsserted(() -> assertThat(first.told()).isOne());
			}
			await().untilAsserted(() -> assertThat(second.told()).isOne());
		}
	}

	@Test
	void whatCannotBeTakenWithoutTheOthersIsPassedOn() {
		Lease other = granted(holder.acquire(new LeaseRequest("document:0", "other", TIMEOUT, TIMEOUT)));
		try (ReleaseWatch one = first.await("document:1"); ReleaseWatch two = second.await("document:1")) {
			holder.release(this.lease);
			await().untilAsserted(() -> assertThat(first.told()).isOne());
			LeaseAttempt attempt = first.attempt(List.of("document:0", "document:1"), "document:1");
			assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Held.class,
					(held) -> assertThat(held.resource()).isEqualTo("document:0"));
			await().untilAsserted(() -> assertThat(second.told()).isOne());
		}
		holder.release(other);
	}

	@Test
	void leaseThatIsHeldAgainIsNotTold() {
		try (ReleaseWatch one = first.await("document:1")) {
			try (ReleaseWatch two = second.await("document:1")) {
				holder.release(this.lease);
				await().untilAsserted(() -> assertThat(first.told()).isOne());
				this.lease = granted(holder.acquire(new LeaseRequest("document:1", "again", TIMEOUT, TIMEOUT)));
				first.close(one);
				holder.find("document:1");
				assertThat(redis.raw().zcard(WAITING)).as("the next one was not told in vain").isOne();
				assertThat(second.told()).isZero();
			}
		}
	}

	private static String channelOf(String waiting) {
		return redis.raw().zrange(waiting, 0, 0).get(0);
	}

	private static Lease granted(LeaseAttempt attempt) {
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		return ((LeaseAttempt.Granted) attempt).lease();
	}

	/**
	 * A process that waits.
	 */
	private static final class Process {

		private final RedisLeaseProvider provider;

		private final AtomicInteger told = new AtomicInteger();

		private int before;

		Process(RedisLeaseProvider provider) {
			this.provider = provider;
		}

		ReleaseWatch await(String resource) {
			ReleaseWatch watch = this.provider.watch(resource, this.told::incrementAndGet);
			watch.ready().toCompletableFuture().join();
			if (resource.equals("document:2")) {
				granted(holder.acquire(new LeaseRequest(resource, "holder", TIMEOUT, TIMEOUT)));
			}
			assertThat(attempt(resource)).isInstanceOf(LeaseAttempt.Held.class);
			this.before = this.told.get();
			return watch;
		}

		LeaseAttempt attempt(String resource) {
			return attempt(List.of(resource), resource);
		}

		LeaseAttempt attempt(List<String> resources, String watched) {
			return this.provider
				.acquire(new LeaseRequest(resources, "waiter" + hashCode(), TIMEOUT, Duration.ofSeconds(5), watched));
		}

		int told() {
			return this.told.get() - this.before;
		}

		void close(ReleaseWatch watch) {
			watch.close();
		}

	}

}
