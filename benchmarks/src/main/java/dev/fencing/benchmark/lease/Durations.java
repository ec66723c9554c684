package dev.fencing.benchmark.lease;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long something took, each time that it was done.
 */
final class Durations {

	private final List<Long> sorted;

	/**
	 * Create them.
	 * @param nanos the nanoseconds, in any order; never null
	 */
	Durations(Collection<Long> nanos) {
		this.sorted = nanos.stream().sorted().toList();
	}

	int count() {
		return this.sorted.size();
	}

	/**
	 * Return the milliseconds that a part of them does not exceed.
	 * @param part the part, from 0 to 1
	 * @return the milliseconds; not a number if there are none
	 */
	double millis(double part) {
		if (this.sorted.isEmpty()) {
			return Double.NaN;
		}
		int index = Math.min(this.sorted.size() - 1, (int) (this.sorted.size() * part));
		return this.sorted.get(index) / (double) TimeUnit.MILLISECONDS.toNanos(1);
	}

}
