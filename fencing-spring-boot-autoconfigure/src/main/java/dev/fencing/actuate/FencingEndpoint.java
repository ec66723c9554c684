package dev.fencing.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseState;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.RegisteredGeneration;

/**
 * Shows which leases this instance holds, what was refused and how well leases are kept,
 * or what is known of one resource. Tokens and generations are decimal strings (a JSON
 * number is exact up to 2<sup>53</sup> only), times and durations have the form of ISO
 * 8601.
 *
 * @since 0.1.0
 */
@Endpoint(id = "fencing", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ FencingReport.class, ResourceReport.class })
public class FencingEndpoint {

	private static final Log logger = LogFactory.getLog(FencingEndpoint.class);

	private static final String PROVIDER = "The lease provider";

	/**
	 * Whoever reads the report waits for it.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

	private final LeaseProvider provider;

	private final String instance;

	private final HeldLeases leases;

	private final RejectionLog rejections;

	private final @Nullable GenerationRegistry registry;

	/**
	 * Create the endpoint.
	 * @param provider tells who holds a lease; never null
	 * @param instance the id of this instance of the application; never null
	 * @param leases what this instance holds; never null
	 * @param rejections what was refused; never null
	 * @param registry tells what is registered; null if registration is switched off
	 */
	public FencingEndpoint(LeaseProvider provider, String instance, HeldLeases leases, RejectionLog rejections,
			@Nullable GenerationRegistry registry) {
		Assert.notNull(provider, "A lease provider is required");
		Assert.notNull(instance, "The id of the instance is required");
		Assert.notNull(leases, "The held leases are required");
		Assert.notNull(rejections, "The rejection log is required");
		this.provider = provider;
		this.instance = instance;
		this.leases = leases;
		this.rejections = rejections;
		this.registry = registry;
	}

	/**
	 * Report on this instance, or on one resource.
	 * @param resource the resource, as in {@code document:42}; null or blank for the
	 * report on this instance
	 * @return a {@link FencingReport}, or a {@link ResourceReport} if a resource was
	 * given; never null
	 */
	// Boot 3.5 takes a parameter for optional only if it carries Spring's own annotation,
	// which Framework 7 has deprecated
	@SuppressWarnings("deprecation")
	@ReadOperation
	public OperationResponseBody fencing(@org.springframework.lang.Nullable String resource) {
		return StringUtils.hasText(resource) ? report(resource) : report();
	}

	private FencingReport report() {
		return new FencingReport(this.provider.name(), this.instance,
				this.leases.snapshot().stream().map(FencingReport.Held::of).toList(),
				new FencingReport.Rejections(this.rejections.total(), RejectionReport.of(this.rejections.recent())),
				durability());
	}

	private FencingReport.Durability durability() {
		List<String> errors = new ArrayList<>();
		DurabilityReport report = ask(PROVIDER, () -> this.provider.durability(LONGEST_WAIT), errors);
		return FencingReport.Durability
			.of((report != null) ? report : new DurabilityReport(List.of(), String.join("; ", errors)));
	}

	private ResourceReport report(String resource) {
		List<String> errors = new ArrayList<>();
		LeaseState state = ask(PROVIDER, () -> this.provider.find(resource), errors);
		RegisteredGeneration registered = (this.registry != null)
				? ask("The generation registry", () -> this.registry.find(resource), errors) : null;
		return new ResourceReport(resource, (state != null) ? ResourceReport.Holder.of(state) : null,
				(registered != null) ? ResourceReport.Registered.of(registered) : null,
				new ResourceReport.Rejections(
						RejectionReport.of(this.rejections.page(resource, null, Integer.MAX_VALUE).rejections())),
				errors.isEmpty() ? null : String.join("; ", errors));
	}

	// The report is read when something is wrong: what fails must not hide what the
	// others know
	private static <T> @Nullable T ask(String who, Supplier<@Nullable T> question, List<String> errors) {
		try {
			return question.get();
		}
		catch (RuntimeException ex) {
			logger.debug(who + " failed to answer", ex);
			errors.add(who + " failed: " + ex.getMessage());
			return null;
		}
	}

}
