package dev.fencing.transaction;

import org.jspecify.annotations.Nullable;

/**
 * A resource of which an acquisition is not the registered owner.
 *
 * @param resource the resource
 * @param current what is registered instead; null if nothing is
 * @since 0.1.0
 */
public record Displacement(String resource, @Nullable RegisteredGeneration current) {
}
