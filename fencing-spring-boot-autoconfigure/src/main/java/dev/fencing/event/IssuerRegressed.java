package dev.fencing.event;

import dev.fencing.Rejection;

/**
 * The lease provider gave out a number that is not greater than what the database has
 * accepted: its counter was lost. Published besides {@link GenerationRejected}, with the
 * same rejection.
 *
 * @param rejection the registration that was refused
 * @since 0.1.0
 */
public record IssuerRegressed(Rejection rejection) {
}
