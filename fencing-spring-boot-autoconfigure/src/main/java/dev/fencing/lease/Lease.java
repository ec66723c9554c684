package dev.fencing.lease;

/**
 * A lease that was granted.
 *
 * @param resource what was taken
 * @param nonce the random id of the acquisition
 * @param generation the number of the acquisition
 * @since 0.1.0
 */
public record Lease(String resource, String nonce, long generation) {
}
