package dev.fencing.actuate;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencedLockTemplate;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionWriter;
import dev.fencing.transaction.GenerationRegistry;

/**
 * Where the endpoint knows things from.
 *
 * @param instance the id of this instance of the application
 * @param provider tells who holds a lease, and ends it
 * @param held what this instance holds
 * @param acquirer tells which calls wait
 * @param totals what was counted
 * @param log what was refused to this instance
 * @param history where rejections are kept: the log, or what lasts longer
 * @param writer stores rejections in a table; null if they are kept in memory only
 * @param registry tells what is registered; null if registration is switched off
 * @param locks takes a lease in the place of one that was ended
 * @param mask hides keys
 * @since 0.1.0
 */
public record FencingSources(String instance, LeaseProvider provider, HeldLeases held, LeaseAcquirer acquirer,
		LockTotals totals, RejectionLog log, RejectionHistory history, @Nullable RejectionWriter writer,
		@Nullable GenerationRegistry registry, FencedLockTemplate locks, KeyMask mask) {
}
