package dev.fencing.actuate;

import java.util.Optional;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseState;
import dev.fencing.rejection.LogText;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.RegisteredGeneration;

/**
 * Ends a lease for an operator, whoever has it: takes it away, and then takes it for a
 * moment. That registers a generation of our own, so that the owner is fenced at once and
 * not only when somebody else wants the resource.
 */
final class LeaseTermination {

	private static final Log logger = LogFactory.getLog(LeaseTermination.class);

	private final LeaseProvider provider;

	private final GenerationRegistry registry;

	private final FencedLockTemplate locks;

	private final KeyMask mask;

	LeaseTermination(LeaseProvider provider, GenerationRegistry registry, FencedLockTemplate locks, KeyMask mask) {
		this.provider = provider;
		this.registry = registry;
		this.locks = locks;
		this.mask = mask;
	}

	/**
	 * End a lease.
	 * @param resource the resource
	 * @return what became of it
	 * @throws IllegalArgumentException if no resource can be called so
	 */
	TerminationReport end(String resource) {
		LockRequest request = request(resource);
		Question question = new Question((text) -> this.mask.mask(text, resource));
		LeaseState ended = question.ask("The lease provider", () -> takeAway(resource));
		Long mark = question.ask("The generation registry", () -> mark(resource));
		// Who was never registered wrote nothing: no row is made for a mistyped name
		Long fence = (question.error() == null && (ended != null || mark != null))
				? question.ask("The fence", () -> fence(request)) : null;
		LeaseState holder = question.ask("The lease provider", () -> this.provider.find(resource));
		return new TerminationReport(this.mask.mask(resource), holder(ended), (fence != null) ? fence.toString() : null,
				holder(holder), question.error());
	}

	private @Nullable LeaseState takeAway(String resource) {
		LeaseState state = this.provider.find(resource);
		if (state == null || !this.provider.release(state.lease())) {
			return null;
		}
		logger.warn("An operator has ended the lease on %s: generation %d, owner %s".formatted(LogText.quote(resource),
				state.lease().generation(), LogText.quote(state.owner())));
		return state;
	}

	private @Nullable Long mark(String resource) {
		RegisteredGeneration registered = this.registry.find(resource);
		return (registered != null) ? FencingTokens.generation(registered.token()) : null;
	}

	/**
	 * Register a generation of our own, unless somebody was faster: that one's does it.
	 */
	private @Nullable Long fence(LockRequest request) {
		Optional<Long> own = this.locks.tryExecute(request, (context) -> context.generation());
		return own.orElse(null);
	}

	private static LockRequest request(String resource) {
		int colon = resource.indexOf(':');
		return (colon < 0) ? LockRequest.of(resource)
				: LockRequest.of(resource.substring(0, colon)).key(resource.substring(colon + 1));
	}

	private static ResourceReport.@Nullable Holder holder(@Nullable LeaseState state) {
		return (state != null) ? ResourceReport.Holder.of(state) : null;
	}

}
