package dev.fencing.lease.redis;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.lease.DurabilityFinding;

/**
 * What the settings of a server mean for leases and for the counter. Redis documents them
 * in its <a href="https://redis.io/docs/latest/operate/oss_and_stack/management/">pages
 * on persistence, replication</a> and
 * <a href="https://redis.io/docs/latest/develop/reference/eviction/">eviction</a>.
 */
final class DurabilityRules {

	private static final String LEASES = "A lease that is gone is granted to somebody else while its holder still "
			+ "works, and the holder's commit is refused. ";

	private static final String NO_EVICTION = "Set maxmemory-policy to noeviction, or give the leases a Redis of their "
			+ "own (@FencingRedis).";

	private static final String UNWRITTEN = "what the system has not written to disk yet, often half a minute";

	private static final String ONLY_REPLICA = "There is a single replica, so that no lease is granted any more while "
			+ "it is away, nor after a failover until the other server is back.";

	private final int acknowledgements;

	private final String lostCounter;

	private final String olderCounter;

	DurabilityRules(RedisLeaseSettings settings) {
		this.acknowledgements = settings.replicaAcknowledgements();
		boolean clockFloor = settings.clockFloor();
		String afterwards = clockFloor ? "The counter goes on from the server's clock."
				: "%s, and what the database knows already is numbered anew, which takes longer: "
						+ "fencing.redis.clock-floor avoids that.";
		this.lostCounter = afterwards.formatted("The counter starts again at 1");
		this.olderCounter = afterwards.formatted("The counter falls back");
	}

	/**
	 * Return what is to be said of a server's settings.
	 */
	List<DurabilityFinding> findings(ServerSettings server) {
		List<DurabilityFinding> findings = new ArrayList<>();
		addEviction(server, findings);
		addPersistence(server, findings);
		addReplication(server, findings);
		return findings;
	}

	private void addEviction(ServerSettings server, List<DurabilityFinding> findings) {
		String policy = server.evictionPolicy();
		if (policy == null) {
			return;
		}
		// The counter has no time to live, leases have one
		String risk = policy.startsWith("volatile-")
				? "When maxmemory is reached, leases may be evicted, but not the counter. " + LEASES.strip()
				: "When maxmemory is reached, leases and the counter may be evicted. " + LEASES + this.lostCounter;
		findings.add(new DurabilityFinding("maxmemory-policy", policy, risk, NO_EVICTION));
	}

	private void addPersistence(ServerSettings server, List<DurabilityFinding> findings) {
		String snapshots = server.snapshots();
		String fsync = server.appendFsync();
		if (server.isWithoutAppendOnlyFile()) {
			String risk = (snapshots != null && snapshots.isEmpty())
					? "No snapshots are scheduled: a restart loses all leases and the counter, or goes back to a "
							+ "snapshot that was taken by hand or for a replica. " + LEASES + this.lostCounter
					: "A crash loses what was written since the last snapshot. " + LEASES + this.olderCounter;
			findings.add(new DurabilityFinding("appendonly", "no", risk, "Set appendonly to yes."));
		}
		else if (fsync != null && !fsync.equals("always")) {
			String lost = fsync.equals("no") ? UNWRITTEN : "the last second or two";
			findings.add(new DurabilityFinding("appendfsync", fsync,
					"A crash of the machine loses %s. ".formatted(lost) + LEASES + this.olderCounter,
					"Set appendfsync to always, if its disk is fast enough."));
		}
		if (server.isWithoutFsyncOnRewrite()) {
			findings
				.add(new DurabilityFinding(ServerSettings.NO_APPENDFSYNC_ON_REWRITE, "yes",
						"While the log is rewritten or a snapshot is taken, a crash of the machine loses %s. "
							.formatted(UNWRITTEN) + LEASES + this.olderCounter,
						"Set no-appendfsync-on-rewrite to no."));
		}
	}

	private void addReplication(ServerSettings server, List<DurabilityFinding> findings) {
		Long connected = server.connectedReplicas();
		if (connected == null) {
			return;
		}
		if (connected < this.acknowledgements) {
			findings.add(new DurabilityFinding("connected replicas", Long.toString(connected), """
					No lease is granted: fencing.redis.replica-acknowledgements asks for %d."""
				.formatted(this.acknowledgements), "Connect more replicas, or ask for fewer."));
		}
		String without = server.writesWithoutReplicas();
		if (connected > 0 && without != null) {
			findings.add(
					new DurabilityFinding(without, "0",
							"""
									A primary that is cut off goes on granting leases that the replica promoted in its place does not \
									know. Two owners then work at once, and one of their commits is refused.""",
							"Set %s. %s"
								.formatted(
										without.equals(ServerSettings.MIN_REPLICAS_TO_WRITE)
												? "min-replicas-to-write to 1" : "min-replicas-max-lag to 10 or less",
										(connected == 1) ? ONLY_REPLICA : "")
								.strip()));
		}
	}

}
