package dev.fencing.test.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.FencingTokens;
import dev.fencing.LeaseProviderException;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.ReleaseWatch;
import dev.fencing.lease.RenewalAnswer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.greaterThan;

/**
 * What every {@link LeaseProvider} has to do. The tests of a provider extend this class,
 * and say how to get one and how a lease of it runs out.
 *
 * @since 0.1.0
 */
public abstract class LeaseProviderConformanceTests {

	/**
	 * The lease time of most leases: far longer than a test takes.
	 */
	protected static final Duration LEASE_TIME = Duration.ofSeconds(30);

	/**
	 * How long a provider may take to answer.
	 */
	protected static final Duration TIMEOUT = Duration.ofSeconds(10);

	private LeaseProvider provider;

	@BeforeEach
	void createProvider() {
		this.provider = provider(false);
	}

	/**
	 * Return a provider that has given out nothing yet, to be closed after the test.
	 * @param clockFloor whether a generation is at least the wall clock's milliseconds;
	 * without it they start at 1
	 * @return the provider; never null
	 */
	protected abstract LeaseProvider provider(boolean clockFloor);

	/**
	 * Let the lease on a resource run out as it does when its time is over, however much of
	 * it is left, and return when it has.
	 * @param resource the resource; never null
	 */
	protected abstract void runOut(String resource);

	@Test
	void freeResourceIsGranted() {
		Lease lease = acquire("document:42", "a");
		assertThat(lease).isEqualTo(new Lease("document:42", "a", 1));
		LeaseState state = state("document:42");
		assertThat(state.lease()).isEqualTo(lease);
		assertThat(state.remaining()).isPositive().isLessThanOrEqualTo(LEASE_TIME);
	}

	@Test
	void heldResourceIsNotGrantedAndTellsTheTimeLeft() {
		Lease lease = acquire("document:42", "a");
		LeaseAttempt attempt = attempt("document:42", "b");
		assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Held.class,
				(held) -> assertThat(held.remaining()).isGreaterThan(LEASE_TIME.dividedBy(2))
					.isLessThanOrEqualTo(LEASE_TIME));
		assertThat(holder("document:42")).isEqualTo(lease);
	}

	@Test
	void otherResourceIsGrantedMeanwhile() {
		acquire("document:42", "a");
		assertThat(acquire("document:43", "b").generation()).isGreaterThan(0);
	}

	@Test
	void generationsGrowOverHandoversAndResources() {
		List<Long> generations = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			Lease lease = acquire("document:" + i % 2, "n" + i);
			generations.add(lease.generation());
			this.provider.release(lease);
		}
		assertThat(generations).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void sameRequestAgainGivesTheSameGeneration() {
		Lease first = acquire("document:42", "a");
		Lease again = acquire("document:42", "a");
		assertThat(again).isEqualTo(first);
		assertThat(this.provider.release(first)).isTrue();
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(acquire("document:42", "b").generation()).isEqualTo(first.generation() + 1);
	}

	@Test
	void sameRequestAgainCountsItsTimeFromThen() {
		acquire("document:42", "a", Duration.ofSeconds(5));
		acquire("document:42", "a", Duration.ofSeconds(60));
		assertThat(remaining("document:42")).isGreaterThan(Duration.ofSeconds(50));
	}

	@Test
	void leaseThatRanOutIsGrantedToAnother() {
		Lease first = acquire("document:42", "a");
		runOut("document:42");
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(acquire("document:42", "b").generation()).isGreaterThan(first.generation());
	}

	@Test
	void renewalCountsFromThen() throws Exception {
		Lease lease = acquire("document:42", "a", Duration.ofSeconds(5));
		assertThat(renew(lease, Duration.ofSeconds(60))).isEqualTo(new RenewalAnswer.Renewed());
		assertThat(remaining("document:42")).isGreaterThan(Duration.ofSeconds(50))
			.isLessThanOrEqualTo(Duration.ofSeconds(60));
	}

	@Test
	void renewalNeverRevives() throws Exception {
		Lease lease = acquire("document:42", "a");
		runOut("document:42");
		assertThat(renew(lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Gone());
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void renewalNeverTouchesAnothersLease() throws Exception {
		Lease first = acquire("document:42", "a");
		runOut("document:42");
		Lease second = acquire("document:42", "b", Duration.ofSeconds(5));
		assertThat(renew(first, Duration.ofSeconds(60))).isEqualTo(new RenewalAnswer.Taken(second.generation()));
		assertThat(holder("document:42")).isEqualTo(second);
		assertThat(remaining("document:42")).isLessThanOrEqualTo(Duration.ofSeconds(5));
	}

	@Test
	void renewalFindsTheLeaseWhicheverGenerationItHas() {
		Lease lease = acquire("document:42", "a", Duration.ofSeconds(5));
		Lease healed = this.provider.heal(lease, 10);
		assertThat(renew(lease, Duration.ofSeconds(60))).isEqualTo(new RenewalAnswer.Renewed());
		assertThat(remaining("document:42")).isGreaterThan(Duration.ofSeconds(50));
		assertThat(holder("document:42")).isEqualTo(healed);
	}

	@Test
	void eachOfManyRenewalsHasItsAnswer() {
		Lease kept = acquire("document:1", "a", Duration.ofSeconds(5));
		Lease gone = acquire("document:2", "b");
		Lease taken = acquire("document:3", "c");
		Lease pair = acquire(List.of("document:4", "document:5"), "d");
		Lease broken = acquire(List.of("document:6", "document:7"), "e");
		List.of("document:2", "document:3", "document:6").forEach(this::remove);
		Lease other = acquire("document:3", "f");
		Stream<LeaseExtension> extensions = Stream.of(kept, gone, taken, pair, broken)
			.map((lease) -> new LeaseExtension(lease, Duration.ofSeconds(60)));
		assertThat(this.provider.renew(extensions.toList()).toCompletableFuture().join()).containsExactly(
				new RenewalAnswer.Renewed(), new RenewalAnswer.Gone(), new RenewalAnswer.Taken(other.generation()),
				new RenewalAnswer.Renewed(), new RenewalAnswer.Gone());
		for (String resource : List.of("document:1", "document:4", "document:5")) {
			assertThat(remaining(resource)).isGreaterThan(Duration.ofSeconds(50));
		}
		assertThat(this.provider.find("document:2")).isNull();
		assertThat(this.provider.find("document:6")).isNull();
	}

	@Test
	void severalResourcesAreTakenUnderOneGeneration() {
		Lease lease = acquire(List.of("document:1", "document:2", "document:3"), "a");
		assertThat(lease.generation()).isOne();
		for (String resource : lease.resources()) {
			assertThat(holder(resource)).isEqualTo(new Lease(resource, "a", 1));
		}
		assertThat(this.provider.release(lease)).isTrue();
		assertThat(lease.resources()).allMatch((resource) -> this.provider.find(resource) == null);
	}

	@Test
	void severalResourcesAreTakenTogetherOrNotAtAll() {
		acquire("document:2", "a", Duration.ofSeconds(5));
		acquire("document:3", "b", Duration.ofSeconds(60));
		LeaseAttempt attempt = this.provider
			.acquire(request(List.of("document:1", "document:2", "document:3"), "c", LEASE_TIME));
		assertThat(attempt).isInstanceOfSatisfying(LeaseAttempt.Held.class, (held) -> {
			assertThat(held.resource()).as("the first one").isEqualTo("document:2");
			assertThat(held.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
		});
		assertThat(this.provider.find("document:1")).isNull();
	}

	@Test
	void sameRequestForSeveralAgainGivesTheSameGeneration() {
		List<String> both = List.of("document:1", "document:2");
		Lease first = acquire(both, "a");
		assertThat(acquire(both, "a")).isEqualTo(first);
	}

	@Test
	void leaseOnSeveralThatLostOneIsReleasedAsFarAsItIsLeft() {
		Lease lease = acquire(List.of("document:1", "document:2"), "a");
		remove("document:1");
		Lease other = acquire("document:1", "b");
		assertThat(this.provider.release(lease)).isFalse();
		assertThat(holder("document:1")).isEqualTo(other);
		assertThat(this.provider.find("document:2")).isNull();
	}

	@Test
	void leaseOnSeveralIsHealedAsOne() {
		Lease lease = acquire(List.of("document:1", "document:2"), "a");
		Lease healed = existing(this.provider.heal(lease, 1000));
		assertThat(healed).isEqualTo(lease.withGeneration(1001));
		assertThat(holder("document:1").generation()).isEqualTo(1001);
		assertThat(holder("document:2").generation()).isEqualTo(1001);
		remove("document:1");
		assertThat(this.provider.heal(healed, 2000)).isNull();
		assertThat(holder("document:2").generation()).isEqualTo(1001);
	}

	@Test
	void resourceIsBlockedAfterItsReleaseForAsLongAsWanted() {
		Lease lease = acquire("document:42", "a", Duration.ofSeconds(5));
		assertThat(this.provider.release(lease, Duration.ofSeconds(60))).isTrue();
		assertThat(attempt("document:42", "b")).isInstanceOfSatisfying(LeaseAttempt.Held.class,
				(held) -> assertThat(held.remaining()).isGreaterThan(Duration.ofSeconds(50)));
		assertThat(renew(lease, Duration.ofMinutes(10))).as("a renewal that is late")
			.isEqualTo(new RenewalAnswer.Taken(lease.generation()));
		assertThat(remaining("document:42")).isLessThanOrEqualTo(Duration.ofSeconds(60));
		runOut("document:42");
		assertThat(acquire("document:42", "b").generation()).isGreaterThan(lease.generation());
	}

	@Test
	void releaseIsToldToThoseWhoWatch() {
		Lease lease = acquire("document:42", "a");
		AtomicInteger told = new AtomicInteger();
		try (ReleaseWatch watch = this.provider.watch("document:42", told::incrementAndGet)) {
			watch.ready().toCompletableFuture().join();
			int before = told.get();
			LeaseRequest watched = new LeaseRequest(List.of("document:42"), "b", LEASE_TIME, TIMEOUT, "document:42");
			assertThat(this.provider.acquire(watched)).isInstanceOf(LeaseAttempt.Held.class);
			this.provider.release(lease);
			await().untilAtomic(told, greaterThan(before));
		}
	}

	@Test
	void releaseEndsTheLeaseOnce() {
		Lease lease = acquire("document:42", "a");
		assertThat(this.provider.release(lease)).isTrue();
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.provider.release(lease)).isFalse();
	}

	@Test
	void releaseNeverTouchesAnothersLease() {
		Lease first = acquire("document:42", "a");
		runOut("document:42");
		Lease second = acquire("document:42", "b");
		assertThat(this.provider.release(first)).isFalse();
		assertThat(holder("document:42")).isEqualTo(second);
	}

	@Test
	void releaseEndsTheLeaseWhicheverGenerationItHas() {
		Lease lease = acquire("document:42", "a");
		this.provider.heal(lease, 10);
		assertThat(this.provider.release(lease)).isTrue();
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void healedLeaseExceedsTheMarkAndKeepsItsTime() {
		Lease lease = acquire("document:42", "a", Duration.ofSeconds(5));
		Lease healed = this.provider.heal(lease, 1000);
		assertThat(healed).isEqualTo(new Lease("document:42", "a", 1001));
		assertThat(holder("document:42")).isEqualTo(healed);
		assertThat(remaining("document:42")).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(5));
		assertThat(acquire("document:43", "b").generation()).isEqualTo(1002);
	}

	@Test
	void healedLeaseExceedsAllThatWereGivenOut() {
		Lease lease = acquire("document:42", "a");
		long other = acquire("document:43", "b").generation();
		assertThat(this.provider.heal(lease, lease.generation())).isEqualTo(new Lease("document:42", "a", other + 1));
	}

	@Test
	void healingAgainGivesTheSameGeneration() {
		Lease lease = acquire("document:42", "a");
		Lease healed = this.provider.heal(lease, 1000);
		assertThat(this.provider.heal(lease, 1000)).isEqualTo(healed);
		assertThat(this.provider.heal(lease, 999)).isEqualTo(healed);
	}

	@Test
	void healedLeaseIsHealedFurther() {
		Lease healed = existing(this.provider.heal(acquire("document:42", "a"), 1000));
		assertThat(this.provider.heal(healed, 2000)).isEqualTo(new Lease("document:42", "a", 2001));
	}

	@Test
	void healingUnderAnOldGenerationDoesNothing() {
		Lease lease = acquire("document:42", "a");
		Lease healed = this.provider.heal(lease, 1000);
		assertThat(this.provider.heal(lease, 2000)).isNull();
		assertThat(holder("document:42")).isEqualTo(healed);
	}

	@Test
	void healingNeverRevivesNorTouchesAnothersLease() {
		Lease first = acquire("document:42", "a");
		runOut("document:42");
		assertThat(this.provider.heal(first, 1000)).isNull();
		assertThat(this.provider.find("document:42")).isNull();
		Lease second = acquire("document:42", "b");
		assertThat(this.provider.heal(first, 1000)).isNull();
		assertThat(holder("document:42")).isEqualTo(second);
		assertThat(second.generation()).isEqualTo(first.generation() + 1);
	}

	@Test
	void healingNeverTouchesAnothersLeaseUnderTheSameGeneration() {
		Lease other = acquire("document:42", "b");
		// What a counter that fell back has given out before
		Lease lease = new Lease("document:42", "a", other.generation());
		assertThat(this.provider.heal(lease, 1000)).isNull();
		assertThat(holder("document:42")).isEqualTo(other);
		assertThat(acquire("document:43", "c").generation()).isEqualTo(other.generation() + 1);
	}

	@Test
	void healingNeverTakesAnothersLeaseAboveTheMarkForItsOwn() {
		this.provider.raise("document:42", 1000);
		Lease other = acquire("document:42", "b");
		assertThat(this.provider.heal(new Lease("document:42", "a", 7), 1000)).isNull();
		assertThat(this.provider.heal(new Lease("document:42", "a", other.generation()), 1000)).isNull();
		assertThat(holder("document:42")).isEqualTo(other);
	}

	@Test
	void raisedCounterExceedsTheMarkAndLeavesLeases() {
		Lease lease = acquire("document:42", "a");
		this.provider.raise("document:42", 1000);
		assertThat(holder("document:42")).isEqualTo(lease);
		assertThat(acquire("document:43", "b").generation()).isEqualTo(1001);
	}

	@Test
	void counterIsNeverLowered() {
		this.provider.raise("document:42", 1000);
		this.provider.raise("document:42", 10);
		assertThat(acquire("document:42", "a").generation()).isEqualTo(1001);
	}

	@Test
	void greatestGenerationIsTheLast() {
		this.provider.raise("document:42", FencingTokens.MAX_GENERATION - 1);
		assertThat(acquire("document:42", "a").generation()).isEqualTo(FencingTokens.MAX_GENERATION);
		assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> attempt("document:43", "b"));
		assertThat(this.provider.find("document:43")).isNull();
	}

	@Test
	void markBeyondTheGreatestGenerationIsRefused() {
		Lease lease = acquire("document:42", "a");
		for (long mark : new long[] { FencingTokens.MAX_GENERATION, Long.MAX_VALUE }) {
			assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> this.provider.heal(lease, mark));
			assertThatExceptionOfType(LeaseProviderException.class)
				.isThrownBy(() -> this.provider.raise("document:42", mark));
		}
		assertThat(holder("document:42")).isEqualTo(lease);
		assertThat(acquire("document:43", "b").generation()).isEqualTo(lease.generation() + 1);
	}

	@Test
	void clockFloorIsTheWallClockInMilliseconds() {
		LeaseProvider provider = provider(true);
		long before = System.currentTimeMillis();
		Lease lease = granted(provider.acquire(request("document:42", "a", LEASE_TIME)));
		assertThat(lease.generation()).isBetween(before, System.currentTimeMillis());
		Lease next = granted(provider.acquire(request("document:43", "b", LEASE_TIME)));
		assertThat(next.generation()).isGreaterThan(lease.generation());
		Lease healed = existing(provider.heal(lease, next.generation() + 1_000_000));
		assertThat(healed.generation()).isEqualTo(next.generation() + 1_000_001);
		Lease last = granted(provider.acquire(request("document:44", "c", LEASE_TIME)));
		assertThat(last.generation()).as("the clock does not lower it").isEqualTo(healed.generation() + 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "order:17", "a{b}c", "{}", "x}{y", "", "{", "a b\n", "größe:日本", "%d:%s" })
	void anyResourceIsLeased(String resource) throws Exception {
		Lease lease = acquire(resource, "a");
		assertThat(attempt(resource, "b")).isInstanceOf(LeaseAttempt.Held.class);
		assertThat(renew(lease, LEASE_TIME)).isEqualTo(new RenewalAnswer.Renewed());
		assertThat(holder(resource)).isEqualTo(lease);
		assertThat(this.provider.release(lease)).isTrue();
	}

	@Test
	void longResourceIsLeased() {
		String resource = "x".repeat(200);
		assertThat(this.provider.release(acquire(resource, "a"))).isTrue();
	}

	@Test
	void oneOwnerAtATimeAndGenerationsInOrder() throws Exception {
		int threads = 8;
		int rounds = 40;
		AtomicInteger owners = new AtomicInteger();
		List<Long> generations = new ArrayList<>();
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Callable<Boolean>> tasks = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				String prefix = "t" + i + "-";
				tasks.add(() -> {
					for (int round = 0; round < rounds; round++) {
						Lease lease = acquireEventually("document:42", prefix + round);
						assertThat(owners.incrementAndGet()).isOne();
						// Not synchronized: the lease has to be enough
						generations.add(lease.generation());
						owners.decrementAndGet();
						assertThat(this.provider.release(lease)).isTrue();
					}
					return true;
				});
			}
			for (Future<Boolean> done : executor.invokeAll(tasks)) {
				assertThat(done.get()).isTrue();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(generations).hasSize(threads * rounds).isSorted().doesNotHaveDuplicates();
	}

	/**
	 * Take away one resource from whoever holds it.
	 */
	private void remove(String resource) {
		assertThat(this.provider.release(holder(resource))).isTrue();
	}

	private Lease acquireEventually(String resource, String nonce) {
		while (true) {
			if (attempt(resource, nonce) instanceof LeaseAttempt.Granted granted) {
				return granted.lease();
			}
		}
	}

	/**
	 * Take a lease from the provider that the test has.
	 * @param resource what to take; never null
	 * @param nonce for whom; never null
	 * @return the lease; never null
	 */
	protected final Lease acquire(String resource, String nonce) {
		return acquire(resource, nonce, LEASE_TIME);
	}

	private Lease acquire(List<String> resources, String nonce) {
		return granted(this.provider.acquire(request(resources, nonce, LEASE_TIME)));
	}

	private Lease acquire(String resource, String nonce, Duration leaseTime) {
		return granted(this.provider.acquire(request(resource, nonce, leaseTime)));
	}

	private LeaseAttempt attempt(String resource, String nonce) {
		return this.provider.acquire(request(resource, nonce, LEASE_TIME));
	}

	private RenewalAnswer renew(Lease lease, Duration leaseTime) {
		return this.provider.renew(List.of(new LeaseExtension(lease, leaseTime))).toCompletableFuture().join().get(0);
	}

	private Lease holder(String resource) {
		return state(resource).lease();
	}

	private Duration remaining(String resource) {
		return state(resource).remaining();
	}

	private LeaseState state(String resource) {
		return existing(this.provider.find(resource));
	}

	private static <T> T existing(@Nullable T found) {
		assertThat(found).isNotNull();
		return Objects.requireNonNull(found);
	}

	/**
	 * Create a request for one attempt.
	 * @param resource what to take; never null
	 * @param nonce for whom; never null
	 * @param leaseTime for how long; never null
	 * @return the request; never null
	 */
	protected static LeaseRequest request(String resource, String nonce, Duration leaseTime) {
		return request(List.of(resource), nonce, leaseTime);
	}

	private static LeaseRequest request(List<String> resources, String nonce, Duration leaseTime) {
		return new LeaseRequest(resources, nonce, leaseTime, TIMEOUT, null);
	}

	/**
	 * Verify that an attempt was granted.
	 * @param attempt its answer; never null
	 * @return the lease; never null
	 */
	protected static Lease granted(LeaseAttempt attempt) {
		assertThat(attempt).isInstanceOf(LeaseAttempt.Granted.class);
		return ((LeaseAttempt.Granted) attempt).lease();
	}

}
