package dev.fencing.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * Renewals that go in one request.
 */
final class RenewalBatch {

	/**
	 * Enough for one request to be worth it, and few enough for a server that runs one
	 * request at a time.
	 */
	private static final int MAX_RESOURCES = 250;

	private final List<Sent> sent = new ArrayList<>();

	private final long sentAt;

	private int resources;

	RenewalBatch(long sentAt) {
		this.sentAt = sentAt;
	}

	void add(Renewal renewal, LeaseExtension extension) {
		LeaseHold hold = renewal.hold();
		double slack = hold.remaining().toNanos() / (double) hold.leaseTime().toNanos();
		this.sent.add(new Sent(renewal, extension, this.sentAt + extension.leaseTime().toNanos(), slack));
		this.resources += extension.lease().resources().size();
	}

	boolean isFull() {
		return this.resources >= MAX_RESOURCES;
	}

	List<Sent> sent() {
		return this.sent;
	}

	List<LeaseExtension> extensions() {
		return this.sent.stream().map(Sent::extension).toList();
	}

	/**
	 * A renewal that was sent.
	 *
	 * @param renewal the renewal
	 * @param extension what was asked for
	 * @param deadline until when the lease lasts if it is granted, counted from before it
	 * was sent
	 * @param slack what was left of the lease, from 0 to 1 of the lease time
	 */
	record Sent(Renewal renewal, LeaseExtension extension, long deadline, double slack) {
	}

}
