package dev.fencing.lease;

/**
 * A setting with which a server may lose leases, or the counter that numbers them. That
 * costs time and the order of service, never an update: the database decides.
 *
 * @param setting the name of the setting, as in {@code maxmemory-policy}
 * @param value its value, and where there are several servers, which have it
 * @param risk what could happen, in whole sentences
 * @param advice what to set, in whole sentences
 * @since 0.1.0
 */
public record DurabilityFinding(String setting, String value, String risk, String advice) {
}
