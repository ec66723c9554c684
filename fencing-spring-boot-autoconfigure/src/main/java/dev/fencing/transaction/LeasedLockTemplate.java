package dev.fencing.transaction;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencedCallback;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.FencingListener;
import dev.fencing.FencingTokens;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseProvider;

/**
 * Acquire, register, run, release: the order of the protocol. What commits in between is
 * guarded by {@link FencedTransactionListener}.
 *
 * @since 0.1.0
 */
public final class LeasedLockTemplate implements FencedLockTemplate {

	private static final Log logger = LogFactory.getLog(LeasedLockTemplate.class);

	private final LeaseProvider provider;

	private final LeaseAcquirer acquirer;

	private final @Nullable GenerationRegistry registry;

	private final ActiveTransaction activeTransaction;

	private final List<AcquisitionGate> gates;

	private final FencingListener listener;

	private final Duration waitTime;

	private final String instance;

	private final Set<String> knownLocks = ConcurrentHashMap.newKeySet();

	/**
	 * Create a template.
	 * @param provider gives out the leases; never null
	 * @param acquirer takes them and gives them back; never null
	 * @param registry where new owners are registered; null for no registration
	 * @param activeTransaction what becomes of a lease that is asked for inside an open
	 * transaction; never null
	 * @param gates asked before a lease is taken; never null
	 * @param listener told of everything; never null
	 * @param waitTime how long to wait where a request does not say it; never null
	 * @param instance this instance of the application, shown in rejections; never null
	 */
	public LeasedLockTemplate(LeaseProvider provider, LeaseAcquirer acquirer, @Nullable GenerationRegistry registry,
			ActiveTransaction activeTransaction, List<AcquisitionGate> gates, FencingListener listener,
			Duration waitTime, String instance) {
		this.provider = provider;
		this.acquirer = acquirer;
		this.registry = registry;
		this.activeTransaction = activeTransaction;
		this.gates = List.copyOf(gates);
		this.listener = listener;
		this.waitTime = waitTime;
		this.instance = instance;
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request,
			FencedCallback<T, E> callback) throws E {
		Assert.notNull(request, "The lock request must not be null");
		FencingContext same = bound(request);
		if (same != null) {
			return callback.execute(same);
		}
		if (isKept(request)) {
			return runUnderKept(request, callback);
		}
		Duration wait = (request.waitTime() != null) ? request.waitTime() : this.waitTime;
		Held held = acquire(request, wait, AcquisitionOutcome.UNAVAILABLE);
		if (held == null) {
			throw new LeaseUnavailableException(
					"%s is held by another owner: not available within %s".formatted(describe(request), wait));
		}
		return run(held, callback);
	}

	@Override
	public <T, E extends Throwable> Optional<T> tryExecute(LockRequest request, FencedCallback<T, E> callback)
			throws E {
		Assert.notNull(request, "The lock request must not be null");
		FencingContext same = bound(request);
		if (same != null) {
			return Optional.of(nonNull(callback.execute(same)));
		}
		if (isKept(request)) {
			return Optional.of(nonNull(runUnderKept(request, callback)));
		}
		Duration wait = (request.waitTime() != null) ? request.waitTime() : Duration.ZERO;
		Held held = acquire(request, wait, AcquisitionOutcome.SKIPPED);
		return (held != null) ? Optional.of(nonNull(run(held, callback))) : Optional.empty();
	}

	/**
	 * Return the acquisition that is bound for all of a request.
	 * @return the acquisition, or null if none is for any of it
	 */
	private static @Nullable FencingContext bound(LockRequest request) {
		return allOrNothing(request, FencingContextHolder::find);
	}

	/**
	 * Return whether open transactions keep leases for all of a request.
	 */
	private static boolean isKept(LockRequest request) {
		return allOrNothing(request, OpenTransactions::keptLease) != null;
	}

	private static <T> @Nullable T allOrNothing(LockRequest request, Function<String, @Nullable T> lookup) {
		T first = lookup.apply(request.resource());
		for (String resource : request.resources()) {
			boolean missing = lookup.apply(resource) == null;
			if (missing != (first == null)) {
				throw new LeaseUnavailableException("""
						Of the resources %s, this thread holds some and not '%s': to wait for the rest while holding \
						the others could go on for ever. Lock all of them in the outermost method (keys), or only \
						those that are missing""".formatted(request.resources(),
						missing ? resource : request.resource()));
			}
		}
		return first;
	}

	private static String describe(LockRequest request) {
		List<String> resources = request.resources();
		return (resources.size() > 1) ? "One of " + resources : "'%s'".formatted(request.resource());
	}

	private static <T> T nonNull(@Nullable T result) {
		Assert.state(result != null, "The code ran, but returned null, which tryExecute cannot tell from a skip");
		return result;
	}

	private @Nullable Held acquire(LockRequest request, Duration wait, AcquisitionOutcome whenHeld) {
		if (this.knownLocks.add(request.name())) {
			this.listener.lockKnown(request.name());
		}
		this.activeTransaction.check(request);
		this.gates.forEach((gate) -> gate.beforeAcquisition(request));
		long start = System.nanoTime();
		AcquisitionOutcome outcome = AcquisitionOutcome.FAILED;
		try {
			LeaseHold hold = this.acquirer.acquire(request, wait);
			if (hold == null) {
				outcome = whenHeld;
				return null;
			}
			Held held = register(hold);
			outcome = AcquisitionOutcome.ACQUIRED;
			return held;
		}
		finally {
			this.listener.acquisitionEnded(request.name(), outcome, Duration.ofNanos(System.nanoTime() - start));
		}
	}

	private Held register(LeaseHold hold) {
		Acquisition acquisition = new Acquisition(hold, this.registry, this.listener, this.instance);
		hold.report(acquisition);
		boolean registered = false;
		try {
			if (this.registry != null) {
				new Registrar(this.provider, this.registry).register(acquisition, hold);
			}
			refuseIfLost(hold);
			registered = true;
			return new Held(acquisition, hold);
		}
		finally {
			if (!registered) {
				this.acquirer.giveUp(hold);
			}
		}
	}

	/**
	 * Refuse to begin under a lease that went while its owner was registered, which may
	 * take as long as the database takes: nobody would expect another owner from the
	 * start.
	 */
	private static void refuseIfLost(LeaseHold hold) {
		long successor = hold.successor();
		if (successor != 0 || hold.isLost()) {
			throw new LeaseUnavailableException("""
					The lease on %s was lost %d ms after it was asked for, before the locked code began%s: make the \
					lease time, and max-hold where it is set, longer than the registration of an owner in the database \
					takes""".formatted(named(hold.lease().resources()), hold.heldFor().toMillis(),
					(successor != 0) ? " (generation %d has it now)".formatted(successor) : ""));
		}
	}

	private static String named(List<String> resources) {
		return "'" + String.join("', '", resources) + "'";
	}

	private <T extends @Nullable Object, E extends Throwable> T run(Held held, FencedCallback<T, E> callback) throws E {
		KeptLease lease = new KeptLease(held.acquisition(), () -> end(held, null));
		Throwable failure = null;
		try {
			return runUnder(lease, (context) -> {
				this.listener.leaseAcquired(context);
				return callback.execute(context);
			});
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			if (!lease.isKept()) {
				end(held, failure);
			}
		}
	}

	/**
	 * Run code under the leases that open transactions keep for a request: several where
	 * they were taken one by one.
	 */
	private static <T extends @Nullable Object, E extends Throwable> T runUnderKept(LockRequest request,
			FencedCallback<T, E> callback) throws E {
		ActiveTransaction.checkKept(request);
		Set<KeptLease> leases = new LinkedHashSet<>();
		for (String resource : request.resources()) {
			KeptLease lease = OpenTransactions.keptLease(resource);
			Assert.state(lease != null, "The lease has ended meanwhile");
			leases.add(lease);
		}
		FencedCallback<T, E> nested = callback;
		for (KeptLease lease : leases) {
			FencedCallback<T, E> inner = nested;
			nested = (context) -> runUnder(lease, inner);
		}
		return nested.execute(leases.iterator().next().acquisition());
	}

	/**
	 * Run code under a lease, which is kept by the transactions that the code has taken
	 * part in and that are still open when it returns.
	 */
	private static <T extends @Nullable Object, E extends Throwable> T runUnder(KeptLease lease,
			FencedCallback<T, E> callback) throws E {
		Acquisition acquisition = lease.acquisition();
		Set<OpenTransaction> suspended = OpenTransactions.suspended();
		FencingContextHolder.bind(acquisition);
		try {
			return callback.execute(acquisition);
		}
		finally {
			FencingContextHolder.unbind(acquisition);
			lease.keepUntilCompletionOf(OpenTransactions.allBut(suspended));
		}
	}

	/**
	 * Give the lease back, and name a failed guard by its class. Throws only what
	 * replaces the failure of that guard.
	 */
	private void end(Held held, @Nullable Throwable failure) {
		Acquisition acquisition = held.acquisition();
		RuntimeException stale;
		try {
			// Before the release: a successor would make a current owner look stale
			stale = classifySuspect(acquisition);
		}
		finally {
			this.acquirer.end(held.hold(), acquisition.mayRelease(failure));
			this.listener.leaseEnded(acquisition, held.hold().heldFor());
			raiseAboveForeignToken(acquisition);
		}
		if (stale != null && failure == acquisition.suspect()) {
			throw stale;
		}
	}

	private void raiseAboveForeignToken(Acquisition acquisition) {
		if (acquisition.foreignToken() <= 0) {
			return;
		}
		try {
			this.provider.raise(acquisition.resource(), FencingTokens.generation(acquisition.foreignToken()));
		}
		catch (RuntimeException ex) {
			logger.debug("The counter could not be raised for '%s'".formatted(acquisition.resource()), ex);
		}
	}

	private @Nullable RuntimeException classifySuspect(Acquisition acquisition) {
		DataAccessException suspect = acquisition.suspect();
		if (suspect == null || this.registry == null) {
			return null;
		}
		Displacement displacement;
		try {
			displacement = acquisition.displacement(this.registry::find);
		}
		catch (RuntimeException ex) {
			logger.debug("Nobody can tell whether the owner of %s was stale".formatted(acquisition.resources()), ex);
			return null;
		}
		return (displacement != null) ? acquisition.reject(Rejection.Guard.TRANSACTION, displacement, suspect) : null;
	}

	private record Held(Acquisition acquisition, LeaseHold hold) {
	}

}
