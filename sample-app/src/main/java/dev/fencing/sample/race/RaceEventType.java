package dev.fencing.sample.race;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * What can happen to a worker.
 */
enum RaceEventType {

	ACQUIRED("acquired"),

	READ("read"),

	PAUSED("paused"),

	/**
	 * The worker asks for the lease, and waits while the other one has it.
	 */
	REQUESTED("requested"),

	LEASE_EXPIRED("leaseExpired"),

	/**
	 * The worker's write waits in the database for the row that the other one has
	 * written.
	 */
	WAITING("waiting"),

	RESUMED("resumed"),

	WROTE("wrote"),

	COMMITTED("committed"),

	REJECTED("rejected"),

	RELEASED("released");

	private final String text;

	RaceEventType(String text) {
		this.text = text;
	}

	@JsonValue
	String text() {
		return this.text;
	}

}
