package dev.fencing.transaction;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What the generation registry says of a resource.
 *
 * @param token the greatest token accepted
 * @param owner the acquisition that it was accepted from
 * @param registeredAt when, by the database's clock; null if not asked for
 * @since 0.1.0
 */
public record RegisteredGeneration(long token, String owner, @Nullable Instant registeredAt) {
}
