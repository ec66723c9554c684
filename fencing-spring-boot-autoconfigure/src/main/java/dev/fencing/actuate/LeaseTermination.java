package dev.fencing.actuate;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingException;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseState;
import dev.fencing.rejection.LogText;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.RegisteredGeneration;

/**
 * Ends a lease for an operator, whoever has it: takes it away, and then takes it for a
 * moment. That registers a generation of our own, so that the owner is fenced at once and
 * not only when somebody else wants the resource. To be called outside of leases and
 * transactions.
 */
final class LeaseTermination {

	private static final Log logger = LogFactory.getLog(LeaseTermination.class);

	/**
	 * For how long another owner, who was faster, may take to register.
	 */
	private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(2);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private final LeaseProvider provider;

	private final LeaseAcquirer acquirer;

	private final GenerationRegistry registry;

	private final FencedLockTemplate locks;

	private final KeyMask mask;

	LeaseTermination(FencingSources sources, GenerationRegistry registry) {
		this.provider = sources.provider();
		this.acquirer = sources.acquirer();
		this.registry = registry;
		this.locks = sources.locks();
		this.mask = sources.mask();
	}

	/**
	 * End a lease.
	 * @param resource the resource
	 * @return what became of it
	 * @throws IllegalArgumentException if no resource can be called so
	 */
	TerminationReport end(String resource) {
		LockRequest request = request(resource);
		Question question = new Question(this.mask);
		// First of all: where the owner could not be fenced it keeps its lease
		long mark = question.ask(Question.REGISTRY, () -> mark(resource), 0L);
		LeaseState found = question.isAnswered() ? question.ask(Question.PROVIDER, () -> this.provider.find(resource))
				: null;
		LeaseState ended = (found != null && question.ask(Question.PROVIDER, () -> takeAway(found), false)) ? found
				: null;
		long above = (ended != null) ? Math.max(mark, ended.lease().generation()) : mark;
		// Who was never registered wrote nothing: no row is made for a mistyped name
		Long fence = (question.isAnswered() && above > 0) ? question.ask(Question.REGISTRY, () -> fence(request, above))
				: null;
		// Where it has failed already, asking once more would only take as long again
		LeaseState holder = question.isAnswered() ? question.ask(Question.PROVIDER, () -> this.provider.find(resource))
				: null;
		log(resource, found, fence, question);
		return new TerminationReport(this.mask.mask(resource), holder(ended), (fence != null) ? fence.toString() : null,
				holder(holder), question.error());
	}

	private boolean takeAway(LeaseState state) {
		if (!this.provider.release(state.lease())) {
			return false;
		}
		this.acquirer.lost(state.owner());
		return true;
	}

	// Also an attempt that has failed: the lease may be gone, and only the answer was
	// lost
	private static void log(String resource, @Nullable LeaseState found, @Nullable Long fence, Question question) {
		if (found != null || fence != null) {
			logger.warn("An operator has ended the lease on %s: %s, %s".formatted(LogText.quote(resource),
					(found != null) ? "generation %d, owner %s".formatted(found.lease().generation(),
							LogText.quote(found.owner())) : "nobody had it",
					(fence != null) ? "generation %d is registered in its place".formatted(fence)
							: "but its owner is not fenced yet, since " + LogText.quote(question.reason())));
		}
	}

	/**
	 * Return the generation that is registered, or 0.
	 */
	private long mark(String resource) {
		RegisteredGeneration registered = this.registry.find(resource);
		return (registered != null) ? FencingTokens.generation(registered.token()) : 0;
	}

	/**
	 * Register a generation of our own, unless another owner is faster: its own does the
	 * same. One that has the lease but is not registered yet may fail before it is.
	 * @return the generation that is registered; greater than the given one
	 */
	private long fence(LockRequest request, long above) {
		long begin = System.nanoTime();
		while (true) {
			Optional<Long> own = this.locks.tryExecute(request, (context) -> context.generation());
			long registered = own.orElseGet(() -> mark(request.resource()));
			if (registered > above) {
				return registered;
			}
			if (own.isPresent()) {
				// The counter was lost, and the ended owner has yet to register
				this.provider.raise(request.resource(), above);
			}
			if (System.nanoTime() - begin > LONGEST_WAIT || Thread.currentThread().isInterrupted()) {
				throw new FencingException(
						"nobody is registered after generation %d yet, since other owners have the lease: call again"
							.formatted(above));
			}
			LockSupport.parkNanos(this, PAUSE);
		}
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
