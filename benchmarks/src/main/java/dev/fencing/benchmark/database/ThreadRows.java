package dev.fencing.benchmark.database;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The accounts of one thread, which it takes in turns.
 *
 * @since 0.1.0
 */
@State(Scope.Thread)
public class ThreadRows {

	private static final int EACH = 100;

	private static final AtomicInteger threads = new AtomicInteger();

	private final int thread = threads.getAndIncrement() % (BenchTables.ACCOUNTS / EACH);

	private int taken;

	/**
	 * Return any key that none of eight threads gets but this one.
	 * @param keys how many keys there are
	 */
	long anyOf(int keys) {
		return 8 * ThreadLocalRandom.current().nextLong(keys / 8) + this.thread % 8;
	}

	/**
	 * Return the next account.
	 */
	long next() {
		this.taken = (this.taken + 1) % EACH;
		return (long) EACH * this.thread + this.taken;
	}

}
