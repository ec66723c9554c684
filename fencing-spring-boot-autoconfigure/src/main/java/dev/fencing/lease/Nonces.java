package dev.fencing.lease;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the ids of acquisitions: 64 random bits of this process and a counter, so that
 * none is ever used twice, and making one costs next to nothing.
 */
final class Nonces {

	private final String prefix = HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + "-";

	private final AtomicLong counter = new AtomicLong();

	String next() {
		return this.prefix + Long.toHexString(this.counter.incrementAndGet());
	}

}
