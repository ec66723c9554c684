package dev.fencing.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;

/**
 * One rejection, as the endpoint shows it.
 *
 * @param at when it was refused, as in {@code 2026-01-31T12:00:00.123Z}
 * @param lock the lock name
 * @param resource the resource
 * @param rejectedToken the fencing token that was refused, as a decimal string
 * @param acceptedToken the token that is registered, or that the row carries, as a
 * decimal string; null if there is none
 * @param guard what refused: {@code registration}, {@code transaction}, {@code row} or
 * {@code lease}
 * @param reason why: {@code stale}, {@code foreign} or {@code regressed}
 * @param owner the acquisition that was refused
 * @param instance the instance of the application that was refused
 * @since 0.1.0
 */
@JsonInclude(Include.ALWAYS)
public record RejectionReport(String at, String lock, String resource, String rejectedToken,
		@Nullable String acceptedToken, String guard, String reason, String owner, String instance) {

	static RejectionReport of(Rejection rejection, KeyMask mask) {
		Long accepted = rejection.acceptedToken();
		return new RejectionReport(rejection.at().toString(), rejection.lock(), mask.mask(rejection.resource()),
				Long.toString(rejection.rejectedToken()), (accepted != null) ? Long.toString(accepted) : null,
				rejection.guard().tag(), rejection.reason().tag(), rejection.owner(), rejection.instance());
	}

}
