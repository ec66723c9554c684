package dev.fencing.actuate;

import java.time.temporal.ChronoUnit;
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
 * @param rejections what was refused to this instance
 * @param durability with which settings the provider may lose leases
 * @since 0.1.0
 */
public record FencingReport(String provider, String instance, List<Held> leases, Rejections rejections,
		Durability durability) implements OperationResponseBody {

	/**
	 * A lease that this instance holds.
	 *
	 * @param lock the lock name
	 * @param resource the resource
	 * @param generation the number of the acquisition, as a decimal string
	 * @param heldFor how long it has been held, as in {@code PT1.5S}
	 * @param remaining how long it lasts unless it is renewed, as in {@code PT28.5S}
	 */
	public record Held(String lock, String resource, String generation, String heldFor, String remaining) {

		static Held of(HeldLease lease) {
			return new Held(lease.lock(), lease.resource(), Long.toString(lease.generation()),
					lease.heldFor().truncatedTo(ChronoUnit.MILLIS).toString(),
					lease.remaining().truncatedTo(ChronoUnit.MILLIS).toString());
		}

	}

	/**
	 * What was refused.
	 *
	 * @param total how many rejections there were since the start
	 * @param recent the last ones, the newest first
	 */
	public record Rejections(long total, List<RejectionReport> recent) {
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
