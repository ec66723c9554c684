package dev.fencing.testsupport;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;

/**
 * Rejections that nobody was refused with.
 */
public final class SomeRejections {

	private SomeRejections() {
	}

	/**
	 * Create one of a resource.
	 * @param resource the resource
	 * @return a rejection from now, with a time that every database can keep
	 */
	public static Rejection of(String resource) {
		return of(resource, Instant.now().truncatedTo(ChronoUnit.MICROS));
	}

	public static Rejection of(String resource, Instant at) {
		return of(resource, at, "host-1");
	}

	public static Rejection of(String resource, Instant at, String instance) {
		return new Rejection(at, "document", resource, FencingTokens.of(41, 1), FencingTokens.of(42, 0),
				Guard.TRANSACTION, Reason.STALE, "a1", instance);
	}

}
