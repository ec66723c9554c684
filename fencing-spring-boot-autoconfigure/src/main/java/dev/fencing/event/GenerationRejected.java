package dev.fencing.event;

import dev.fencing.Rejection;

/**
 * Something was refused because it came from an owner that is not the registered one.
 * Published on the refused thread, mostly before its transaction is rolled back: a method
 * with {@code @EventListener} gets it, one with {@code @TransactionalEventListener} only
 * in the phases {@code AFTER_ROLLBACK} and {@code AFTER_COMPLETION}, if at all.
 *
 * @param rejection what, by which guard, and why
 * @since 0.1.0
 */
public record GenerationRejected(Rejection rejection) {
}
