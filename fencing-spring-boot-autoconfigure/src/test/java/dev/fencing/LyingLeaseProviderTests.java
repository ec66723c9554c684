package dev.fencing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.QueryTimeoutException;

import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.LyingLeaseProvider;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A provider that grants everybody at once, repeats numbers and lowers them costs time,
 * but never an update.
 */
class LyingLeaseProviderTests {

	private static final int INCREMENTS = 1_000;

	@ParameterizedTest
	@EnumSource
	void noIncrementIsLostWhateverTheProviderGrants(TestDatabase database) throws Exception {
		try (FencedStack stack = FencedStack.on(database, lying(), true).withCounter()) {
			incrementOnAllThreads(stack, threads(database));
			assertThat(stack.counter()).isEqualTo(INCREMENTS);
			assertThat(stack.rejections()).isNotEmpty()
				.extracting(Rejection::reason)
				.contains(Rejection.Reason.STALE, Rejection.Reason.REGRESSED);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "POSTGRESQL", "MARIADB" })
	void controlWithoutRegistrationLosesIncrements(TestDatabase database) throws Exception {
		try (FencedStack stack = FencedStack.on(database, lying(), false).withCounter()) {
			incrementOnAllThreads(stack, threads(database));
			assertThat(stack.counter()).isLessThan(INCREMENTS);
		}
	}

	private static LyingLeaseProvider lying() {
		return new LyingLeaseProvider((bound) -> ThreadLocalRandom.current().nextInt(bound));
	}

	/**
	 * InnoDB serves those who wait for a row in the order in which they came. With many
	 * of them, and no lease that keeps them apart, each is overtaken in the registry by
	 * one who was refused before it gets the row, and next to none would ever commit.
	 */
	private static int threads(TestDatabase database) {
		return (database == TestDatabase.MARIADB) ? 2 : 8;
	}

	private static void incrementOnAllThreads(FencedStack stack, int count) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(count);
		try {
			CountDownLatch start = new CountDownLatch(1);
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				all.add(threads.submit(() -> {
					start.await();
					for (int done = 0; done < INCREMENTS / count; done++) {
						incrementUntilAcknowledged(stack);
					}
					return null;
				}));
			}
			start.countDown();
			for (Future<?> one : all) {
				one.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static void incrementUntilAcknowledged(FencedStack stack) {
		while (true) {
			try {
				stack.locks()
					.executeWithoutResult(LockRequest.of("counter"),
							(context) -> stack.transaction().executeWithoutResult((status) -> {
								int value = stack.counter();
								stack.jdbc().update("update counter set amount = ?", value + 1);
							}));
				return;
			}
			catch (ConcurrencyFailureException | QueryTimeoutException ex) {
				// Refused, or the database's own lock timeout: once more, with a new
				// lease
			}
		}
	}

}
