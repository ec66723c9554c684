package dev.fencing.sample.race;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

import dev.fencing.StaleGenerationException;

/**
 * Something that happened to a worker. Tokens are text, since they are greater than what
 * JavaScript can hold.
 *
 * @param at when
 * @param worker to whom
 * @param event what
 * @param token the token that the worker showed; null where there is none
 * @param title the title that was read, written, or in the database after a commit
 * @param acceptedToken for a rejection: the greatest token that was accepted before
 * @param guard for a rejection: what refused
 * @param reason for a rejection: why
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RaceEvent(Instant at, String worker, RaceEventType event,
		@JsonInclude(JsonInclude.Include.ALWAYS) @JsonProperty("token") @Nullable String token, @Nullable String title,
		@Nullable String acceptedToken, @Nullable String guard, @Nullable String reason) {

	static RaceEvent of(Instant at, String worker, RaceEventType event, @Nullable Long token, @Nullable String title) {
		return new RaceEvent(at, worker, event, decimal(token), title, null, null, null);
	}

	static RaceEvent rejected(Instant at, String worker, StaleGenerationException ex) {
		return new RaceEvent(at, worker, RaceEventType.REJECTED, decimal(ex.getRejectedToken()), null,
				decimal(ex.getAcceptedToken()), ex.getGuard().tag(), ex.getReason().tag());
	}

	private static @Nullable String decimal(@Nullable Long token) {
		return (token != null) ? Long.toString(token) : null;
	}

}
