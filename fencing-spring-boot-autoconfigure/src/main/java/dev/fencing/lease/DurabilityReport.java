package dev.fencing.lease;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How well a provider keeps what it has given out, as far as it can tell.
 *
 * @param findings settings with which it may lose leases or their counter
 * @param error what could not be found out and why; null if everything could
 * @since 0.1.0
 */
public record DurabilityReport(List<DurabilityFinding> findings, @Nullable String error) {

	/**
	 * Nothing to tell.
	 */
	public static final DurabilityReport NONE = new DurabilityReport(List.of(), null);

	/**
	 * Create a report.
	 */
	public DurabilityReport {
		findings = List.copyOf(findings);
	}

}
