package dev.fencing.actuate;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.WaitingCall;
import dev.fencing.rejection.RejectionWriter;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.OpenTransactions;
import dev.fencing.transaction.RegisteredGeneration;

/**
 * Shows which leases this instance holds, who waits, what has happened, what was refused
 * and how well leases are kept, or what is known of one resource; and ends a lease, if
 * the endpoint's access is unrestricted. Tokens and generations are decimal strings (a
 * JSON number is exact up to 2<sup>53</sup> only), times and durations have the form of
 * ISO 8601.
 *
 * @since 0.1.0
 */
@Endpoint(id = "fencing", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ FencingReport.class, ResourceReport.class, TerminationReport.class, Refusal.class })
public class FencingEndpoint {

	/**
	 * How many rejections a page has unless its size is given.
	 */
	static final int PAGE_SIZE = 100;

	/**
	 * How many rejections a page may have.
	 */
	static final int MAX_PAGE_SIZE = 1000;

	private static final int STATUS_CONFLICT = 409;

	/**
	 * Whoever reads the report waits for it.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

	private final FencingSources sources;

	private final KeyMask mask;

	private final PromptAnswers answers = new PromptAnswers(LONGEST_WAIT);

	private final RejectionPages pages;

	/**
	 * Create the endpoint.
	 * @param sources where it knows things from; never null
	 */
	public FencingEndpoint(FencingSources sources) {
		Assert.notNull(sources, "Sources are required");
		this.sources = sources;
		this.mask = sources.mask();
		this.pages = new RejectionPages(sources.history(), sources.log(), this.answers, sources.mask());
	}

	/**
	 * Report on this instance, or on one resource.
	 * @param resource the resource, as in {@code document:42}; null or blank for the
	 * report on this instance
	 * @param before only rejections that are older than the one at this position, as in
	 * {@code next} of the page before; null to begin with the newest
	 * @param size how many rejections to show, from 1 to {@value #MAX_PAGE_SIZE}; null
	 * for {@value #PAGE_SIZE}
	 * @return a {@link FencingReport}, a {@link ResourceReport} if a resource was given,
	 * or a {@link Refusal}; never null
	 */
	// Boot 3.5 takes a parameter for optional only if it carries Spring's own annotation,
	// which Framework 7 has deprecated
	@SuppressWarnings("deprecation")
	@ReadOperation
	public Object fencing(@org.springframework.lang.Nullable String resource,
			@org.springframework.lang.Nullable Long before, @org.springframework.lang.Nullable Integer size) {
		int shown = (size != null) ? size : PAGE_SIZE;
		if (shown < 1 || shown > MAX_PAGE_SIZE) {
			return refuse(WebEndpointResponse.STATUS_BAD_REQUEST,
					"The size of a page is %d: give one from 1 to %d".formatted(shown, MAX_PAGE_SIZE));
		}
		return StringUtils.hasText(resource) ? report(resource, before, shown) : report(before, shown);
	}

	/**
	 * End the lease of one resource, whoever has it. That is safe: a generation is
	 * registered in its place, so that nothing of its owner commits from now on. Refused
	 * where registration is switched off.
	 * @param resource the resource, as in {@code document:42}
	 * @return a {@link TerminationReport}, over HTTP with status 503 if it has an error,
	 * or a {@link Refusal}; never null
	 */
	@DeleteOperation
	public Object end(String resource) {
		GenerationRegistry registry = this.sources.registry();
		if (registry == null) {
			return refuse(STATUS_CONFLICT, """
					No lease is ended here: registration is switched off, so that its owner would not be fenced. \
					Set fencing.jdbc.registration to true""");
		}
		if (!OpenTransactions.heldAcquisitions().isEmpty()
				|| TransactionSynchronizationManager.isActualTransactionActive() || OpenTransactions.bound() != null) {
			return refuse(STATUS_CONFLICT,
					"""
							No lease is ended by code that runs under a lease or in a transaction, where nobody could be fenced: \
							call the endpoint outside""");
		}
		try {
			TerminationReport report = new LeaseTermination(this.sources, registry).end(resource);
			return (report.error() == null) ? report
					: new WebEndpointResponse<>(report, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
		catch (IllegalArgumentException ex) {
			return refuse(WebEndpointResponse.STATUS_BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
	}

	private FencingReport report(@Nullable Long before, int size) {
		return new FencingReport(this.sources.provider().name(), this.sources.instance(),
				this.sources.held()
					.snapshot()
					.stream()
					.map((lease) -> FencingReport.Held.of(lease, this.mask))
					.toList(),
				Waiting.of(this.sources.acquirer().waiting(), this.mask), this.sources.totals().report(),
				rejections(before, size), durability());
	}

	private FencingReport.Rejections rejections(@Nullable Long before, int size) {
		Question question = new Question(this.mask);
		RejectionPages.Shown page = this.pages.read(null, before, size, question);
		RejectionWriter writer = this.sources.writer();
		return new FencingReport.Rejections(this.sources.log().total(), page.store(),
				(writer != null) ? writer.dropped() : 0, page.recent(), page.next(), question.error());
	}

	private FencingReport.Durability durability() {
		Question question = new Question(this.mask);
		DurabilityReport report = question.ask(Question.PROVIDER,
				() -> this.sources.provider().durability(LONGEST_WAIT));
		return FencingReport.Durability
			.of((report != null) ? report : new DurabilityReport(List.of(), question.error()));
	}

	private ResourceReport report(String resource, @Nullable Long before, int size) {
		Question question = new Question(this.mask);
		LeaseState state = question.ask(Question.PROVIDER, () -> this.sources.provider().find(resource));
		GenerationRegistry registry = this.sources.registry();
		RegisteredGeneration registered = (registry != null)
				? question.ask(Question.REGISTRY, () -> this.answers.get(() -> registry.find(resource))) : null;
		RejectionPages.Shown page = this.pages.read(resource, before, size, question);
		return new ResourceReport(this.mask.mask(resource), (state != null) ? ResourceReport.Holder.of(state) : null,
				(registered != null) ? ResourceReport.Registered.of(registered) : null,
				Waiting.of(waitingFor(resource), this.mask),
				new ResourceReport.Rejections(page.store(), page.recent(), page.next()), question.error());
	}

	private List<WaitingCall> waitingFor(String resource) {
		return this.sources.acquirer().waiting().stream().filter((call) -> call.resource().equals(resource)).toList();
	}

	private static WebEndpointResponse<Refusal> refuse(int status, String reason) {
		return new WebEndpointResponse<>(new Refusal(reason), status);
	}

}
