package dev.fencing.torture;

import java.util.EnumSet;
import java.util.Set;

/**
 * What goes wrong.
 */
enum Fault {

	/** A lease is gone from Redis, as if it had run out. */
	LEASE_LOST,

	/** Everything is gone from Redis. */
	FLUSHALL,

	COUNTER_DELETED,

	/** Somebody gives the counter a time to live, and it is over. */
	COUNTER_EXPIRED,

	/** The counter falls back, by a little or by a million. */
	COUNTER_LOWERED,

	/** The server ends the session of an open transaction. */
	SESSION_TERMINATED,

	/** The commit is done, and nobody hears of it. */
	ANSWER_LOST,

	/** The commit is not done, and nobody hears of it. */
	COMMIT_LOST,

	/** The connection breaks while the commit is under way, which is done later. */
	COMMIT_LATE,

	/** The reply to an acquisition is lost, and the request sent again. */
	REQUEST_RESENT,

	/** SIGSTOP, for longer than the lease lasts. */
	FROZEN,

	/** SIGKILL; another process takes its place. */
	KILLED,

	/** SIGKILL of Redis, which comes back with what it had saved some time ago. */
	REDIS_RESTARTED,

	/** A full Redis that evicts what was not used lately, counter and leases among it. */
	EVICTED,

	/** A replica becomes the primary that has not got the last writes. */
	FAILED_OVER,

	REDIS_CUT,

	DATABASE_CUT,

	BOTH_CUT,

	/**
	 * Packets to and from Redis take as long as half a lease, and those of the database
	 * some time.
	 */
	PACKETS_DELAYED,

	/** The wall clock of a process makes a step of an hour. */
	CLOCK_STEPPED;

	private static final Set<Fault> COSTING_LEASES = EnumSet.of(LEASE_LOST, FLUSHALL, FROZEN, REDIS_RESTARTED, EVICTED,
			FAILED_OVER, REDIS_CUT, BOTH_CUT);

	/**
	 * Return whether another owner takes over while the one that it concerns is at work.
	 */
	boolean costsLeases() {
		return COSTING_LEASES.contains(this);
	}

}
