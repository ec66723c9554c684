package dev.fencing.actuate;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.HeldLease;

/**
 * What the endpoint says of this instance.
 *
 * @param provider the name of the kind of lease provider
 * @param instance the id of this instance of the application
 * @param leases what this instance holds, the one that has been held longest first
 * @param waiting the calls of this instance that wait for a lease, the one that has
 * waited longest first
 * @param locks what has happened since the start, by lock name
 * @param rejections what was refused
 * @param durability with which settings the provider may lose leases
 * @since 0.1.0
 */
public record FencingReport(String provider, String instance, List<Held> leases, List<Waiting> waiting,
		List<Totals> locks, Rejections rejections, Durability durability) implements OperationResponseBody {

	/**
	 * A lease that this instance holds.
	 *
	 * @param lock the lock name
	 * @param resource the resource
	 * @param generation the number of the acquisition, as a decimal string
	 * @param owner the random id of the acquisition
	 * @param heldFor how long it has been held, as in {@code PT1.5S}
	 * @param remaining how long it lasts unless it is renewed, as in {@code PT28.5S}
	 * @param thread the name of the thread that took it
	 */
	public record Held(String lock, String resource, String generation, String owner, String heldFor, String remaining,
			String thread) {

		static Held of(HeldLease lease, KeyMask mask) {
			return new Held(lease.lock(), mask.mask(lease.resource()), Long.toString(lease.generation()), lease.nonce(),
					Durations.text(lease.heldFor()), Durations.text(lease.remaining()), lease.thread());
		}

	}

	/**
	 * What has happened with a lock since the start of this instance.
	 *
	 * @param lock the lock name
	 * @param acquired how many attempts got the lease
	 * @param unavailable how many were given up since another owner kept it
	 * @param skipped how many did nothing since another owner had it
	 * @param failed how many failed
	 * @param lost how many leases were lost while their code was running
	 * @param renewalFailures how many attempts to renew a lease failed
	 * @param issuerRegressions how many numbers of the provider were not greater than the
	 * accepted one
	 * @param rejected what was refused, by guard and reason; only what there was
	 */
	public record Totals(String lock, long acquired, long unavailable, long skipped, long failed, long lost,
			long renewalFailures, long issuerRegressions, List<RejectionCount> rejected) {
	}

	/**
	 * How often one guard refused for one reason.
	 *
	 * @param guard {@code registration}, {@code transaction}, {@code row} or
	 * {@code lease}
	 * @param reason {@code stale}, {@code foreign} or {@code regressed}
	 * @param count how often
	 */
	public record RejectionCount(String guard, String reason, long count) {
	}

	/**
	 * What was refused.
	 *
	 * @param total how many rejections this instance has had since the start
	 * @param store where they are read from: {@code memory}, those of this instance, or
	 * {@code jdbc}, those of all instances
	 * @param dropped how many of this instance the store never got, since there was no
	 * room for them or it refused them
	 * @param recent a page of them, the newest first
	 * @param next the position to give as {@code before} for the next page; null if there
	 * is none
	 * @param error why the store could not be read, so that those of this instance are
	 * shown; null if it could
	 */
	@JsonInclude(Include.ALWAYS)
	public record Rejections(long total, String store, long dropped, List<RejectionReport> recent,
			@Nullable String next, @Nullable String error) {
	}

	/**
	 * With which settings the provider may lose leases or their counter.
	 *
	 * @param findings the settings
	 * @param error what could not be found out and why; null if everything could
	 */
	@JsonInclude(Include.ALWAYS)
	public record Durability(List<DurabilityFinding> findings, @Nullable String error) {

		static Durability of(DurabilityReport report) {
			return new Durability(report.findings(), report.error());
		}

	}

}
