package dev.fencing.actuate;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import dev.fencing.FencingTokens;
import dev.fencing.lease.LeaseState;
import dev.fencing.transaction.RegisteredGeneration;

/**
 * What the endpoint says of one resource. The shape is always the same: Boot leaves nulls
 * out of what endpoints answer, unless a type says otherwise.
 *
 * @param resource the resource
 * @param holder who holds the lease now; null if nobody does or nobody can tell
 * @param registered what is registered in the database; null if nothing is, if nobody can
 * tell or if registration is switched off
 * @param waiting the calls of this instance that wait for it, the one that has waited
 * longest first
 * @param rejections what was refused
 * @param error what could not be found out and why; null if everything could
 * @since 0.1.0
 */
@JsonInclude(Include.ALWAYS)
public record ResourceReport(String resource, @Nullable Holder holder, @Nullable Registered registered,
		List<Waiting> waiting, Rejections rejections, @Nullable String error) implements OperationResponseBody {

	/**
	 * Who holds a lease, or has held it last and keeps others away for the rest of its
	 * shortest hold.
	 *
	 * @param owner the random id of the acquisition
	 * @param generation the number of the acquisition, as a decimal string
	 * @param remaining how long it lasts unless it is renewed, as in {@code PT28.5S}
	 * @param released whether the lease was given back: nothing runs under it any more,
	 * and it is not renewed
	 */
	public record Holder(String owner, String generation, String remaining, boolean released) {

		static Holder of(LeaseState state) {
			return new Holder(state.owner(), Long.toString(state.lease().generation()),
					Durations.text(state.remaining()), state.isReleased());
		}

	}

	/**
	 * What is registered in the database.
	 *
	 * @param token the greatest token accepted, as a decimal string
	 * @param generation its generation, as a decimal string
	 * @param owner the acquisition that it was accepted from
	 * @param registeredAt when, by the database's clock, as in
	 * {@code 2026-01-31T12:00:00Z}; null if it is not known
	 */
	@JsonInclude(Include.ALWAYS)
	public record Registered(String token, String generation, String owner, @Nullable String registeredAt) {

		static Registered of(RegisteredGeneration registered) {
			Instant at = registered.registeredAt();
			return new Registered(Long.toString(registered.token()),
					Long.toString(FencingTokens.generation(registered.token())), registered.owner(),
					(at != null) ? at.toString() : null);
		}

	}

	/**
	 * What was refused.
	 *
	 * @param store where it is read from: {@code memory}, what was refused to this
	 * instance, or {@code jdbc}, to all instances
	 * @param recent a page of the rejections that concern the resource, the newest first
	 * @param next the position to give as {@code before} for the next page; null if there
	 * is none
	 */
	@JsonInclude(Include.ALWAYS)
	public record Rejections(String store, List<RejectionReport> recent, @Nullable String next) {
	}

}
