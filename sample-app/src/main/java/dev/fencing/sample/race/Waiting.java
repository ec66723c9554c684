package dev.fencing.sample.race;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * The waits of a race: for a condition or a signal, and never for longer than a limit.
 */
final class Waiting {

	/**
	 * How long one step of a race may take.
	 */
	static final Duration LIMIT = Duration.ofSeconds(20);

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

	private Waiting() {
	}

	static void until(BooleanSupplier condition, String what) {
		forValue(() -> condition.getAsBoolean() ? Boolean.TRUE : null, what);
	}

	static <T> T forValue(Supplier<@Nullable T> supplier, String what) {
		long start = System.nanoTime();
		T value = supplier.get();
		while (value == null) {
			if (System.nanoTime() - start > LIMIT.toNanos() || Thread.currentThread().isInterrupted()) {
				throw new RaceStuckException(what, LIMIT);
			}
			LockSupport.parkNanos(POLL_NANOS);
			value = supplier.get();
		}
		return value;
	}

	/**
	 * Let a time pass: the one wait that is not for something to happen.
	 */
	static void pass(Duration time) {
		long start = System.nanoTime();
		long rest = time.toNanos();
		while (rest > 0 && !Thread.currentThread().isInterrupted()) {
			LockSupport.parkNanos(rest);
			rest = time.toNanos() - (System.nanoTime() - start);
		}
	}

	/**
	 * Wait for a signal. If it was completed with a failure, that is thrown.
	 */
	static <T extends @Nullable Object> T forSignal(CompletableFuture<T> signal, Duration limit, String what) {
		try {
			return signal.get(limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw new RaceStuckException(what, limit);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RaceStuckException(what, limit);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

}
