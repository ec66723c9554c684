package dev.fencing.test;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;

/**
 * Assertions on locked code.
 *
 * @since 0.1.0
 */
public final class FencingAssertions {

	private FencingAssertions() {
	}

	/**
	 * Begin assertions on what became of a stale owner.
	 * @param actual what happened; never null
	 * @return the assertions; never null
	 */
	public static StaleOwnerAssert assertThat(StaleOwnerResult actual) {
		return new StaleOwnerAssert(actual);
	}

	/**
	 * Verify that the current thread runs under a lease that is not known to be lost: to
	 * be called from a stub of what the code under test calls.
	 * @throws AssertionError if it does not
	 */
	public static void assertFenced() {
		FencingContext context = FencingContext.current()
			.orElseThrow(() -> new AssertionError("Expected a fenced lease, but thread '%s' has none%s"
				.formatted(Thread.currentThread().getName(), transaction())));
		assertNotLost(context);
	}

	/**
	 * Verify that the current thread runs under a lease on a certain resource, which is
	 * not known to be lost.
	 * @param name the lock name; never null
	 * @param key the key; null for a lock without a key
	 * @throws AssertionError if it does not
	 */
	public static void assertFenced(String name, @Nullable Object key) {
		try {
			assertNotLost(FencingContext.require(name, key));
		}
		catch (NoFencedLeaseException ex) {
			LockRequest expected = (key != null) ? LockRequest.of(name).key(key) : LockRequest.of(name);
			throw new AssertionError(
					"Expected a fenced lease on '%s', but thread '%s' has %s".formatted(expected.resource(),
							Thread.currentThread().getName(),
							FencingContext.current().map((context) -> "one on " + context.resources()).orElse("none")),
					ex);
		}
	}

	private static void assertNotLost(FencingContext context) {
		if (context.isLost()) {
			throw new AssertionError(
					"Expected a fenced lease, but the one on %s is lost".formatted(context.resources()));
		}
	}

	private static String transaction() {
		return TransactionSynchronizationManager.isActualTransactionActive() ? ", although it has a transaction" : "";
	}

}
