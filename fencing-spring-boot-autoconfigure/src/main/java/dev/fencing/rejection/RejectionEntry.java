package dev.fencing.rejection;

import dev.fencing.Rejection;

/**
 * A rejection that is to be stored.
 *
 * @param key tells it from any other one, also of other instances: at most 64 ASCII
 * characters. A rejection that comes again has the same key
 * @param rejection what was refused
 * @since 0.1.0
 */
public record RejectionEntry(String key, Rejection rejection) {
}
