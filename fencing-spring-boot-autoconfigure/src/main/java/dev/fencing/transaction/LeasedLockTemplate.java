package dev.fencing.transaction;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencedCallback;
import dev.fencing.FencedLease;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.FencingTokens;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockCallObserver;
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

	private final LockCallObserver observer;

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
		this(provider, acquirer, registry, activeTransaction, gates, listener, LockCallObserver.NONE, waitTime,
				instance);
	}

	/**
	 * Create a template whose calls are followed.
	 * @param provider gives out the leases; never null
	 * @param acquirer takes them and gives them back; never null
	 * @param registry where new owners are registered; null for no registration
	 * @param activeTransaction what becomes of a lease that is asked for inside an open
	 * transaction; never null
	 * @param gates asked before a lease is taken; never null
	 * @param listener told of everything; never null
	 * @param observer follows the calls; never null
	 * @param waitTime how long to wait where a request does not say it; never null
	 * @param instance this instance of the application, shown in rejections; never null
	 */
	public LeasedLockTemplate(LeaseProvider provider, LeaseAcquirer acquirer, @Nullable GenerationRegistry registry,
			ActiveTransaction activeTransaction, List<AcquisitionGate> gates, FencingListener listener,
			LockCallObserver observer, Duration waitTime, String instance) {
		this.provider = provider;
		this.acquirer = acquirer;
		this.registry = registry;
		this.activeTransaction = activeTransaction;
		this.gates = List.copyOf(gates);
		this.listener = listener;
		this.observer = observer;
		this.waitTime = waitTime;
		this.instance = instance;
	}

	@Override
	public <T extends @Nullable Object, E extends Throwable> T execute(LockRequest request,
			FencedCallback<T, E> callback) throws E {
		Assert.notNull(request, "The lock request must not be null");
		OwnLeases own = OwnLeases.find(request);
		if (own != null) {
			return own.execute(callback);
		}
		prepare(request);
		return follow(request, (call) -> {
			Duration wait = (request.waitTime() != null) ? request.waitTime() : this.waitTime;
			KeptLease lease = acquire(request, wait, AcquisitionOutcome.UNAVAILABLE, call);
			if (lease == null) {
				throw new LeaseUnavailableException(
						"%s is held by another owner: not available within %s".formatted(describe(request), wait));
			}
			return run(lease, callback);
		});
	}

	@Override
	public <T, E extends Throwable> Optional<T> tryExecute(LockRequest request, FencedCallback<T, E> callback)
			throws E {
		Assert.notNull(request, "The lock request must not be null");
		OwnLeases own = OwnLeases.find(request);
		if (own != null) {
			return Optional.of(nonNull(own.execute(callback)));
		}
		prepare(request);
		return follow(request, (call) -> {
			Duration wait = (request.waitTime() != null) ? request.waitTime() : Duration.ZERO;
			KeptLease lease = acquire(request, wait, AcquisitionOutcome.SKIPPED, call);
			return (lease != null) ? Optional.of(nonNull(run(lease, callback))) : Optional.empty();
		});
	}

	@Override
	public Optional<FencedLease> open(LockRequest request) {
		Assert.notNull(request, "The lock request must not be null");
		OwnLeases own = OwnLeases.find(request);
		if (own != null) {
			Runnable closing = own.enter();
			return Optional.of(new OpenLease(own.context(), own.acquisitions(), this::extend, closing));
		}
		prepare(request);
		FollowedCall call = FollowedCall.begin(this.observer, request);
		OpenLease opened = null;
		Throwable failure = null;
		try {
			Duration wait = (request.waitTime() != null) ? request.waitTime() : Duration.ZERO;
			KeptLease lease = acquire(request, wait, AcquisitionOutcome.SKIPPED, call);
			if (lease != null) {
				opened = opened(lease, call);
			}
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			if (opened == null) {
				call.ended(failure);
			}
		}
		if (opened != null) {
			tellAcquired(opened);
		}
		return Optional.ofNullable(opened);
	}

	private void tellAcquired(OpenLease opened) {
		boolean told = false;
		try {
			this.listener.leaseAcquired(opened.context());
			told = true;
		}
		finally {
			if (!told) {
				opened.close();
			}
		}
	}

	private OpenLease opened(KeptLease lease, FollowedCall call) {
		Set<OpenTransaction> suspended = lease.enter();
		Acquisition acquisition = lease.acquisition();
		return new OpenLease(acquisition, List.of(acquisition), this::extend, () -> {
			try {
				lease.leave(suspended, null);
			}
			finally {
				call.ended(null);
			}
		});
	}

	private boolean extend(Acquisition acquisition, Duration leaseTime, Duration minHold) {
		return this.acquirer.extend(acquisition.hold(), leaseTime, minHold);
	}

	private void prepare(LockRequest request) {
		if (this.knownLocks.add(request.name())) {
			this.listener.lockKnown(request.name());
		}
		this.activeTransaction.check(request);
		this.gates.forEach((gate) -> gate.beforeAcquisition(request));
	}

	private <T extends @Nullable Object, E extends Throwable> T follow(LockRequest request, Followed<T, E> followed)
			throws E {
		FollowedCall call = FollowedCall.begin(this.observer, request);
		Throwable failure = null;
		try {
			return followed.run(call);
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			call.ended(failure);
		}
	}

	private static String describe(LockRequest request) {
		String named = Acquisition.named(request.resources());
		return (request.resources().size() > 1) ? "One of " + named : named;
	}

	private static <T> T nonNull(@Nullable T result) {
		Assert.state(result != null, "The code ran, but returned null, which tryExecute cannot tell from a skip");
		return result;
	}

	private @Nullable KeptLease acquire(LockRequest request, Duration wait, AcquisitionOutcome whenHeld,
			FollowedCall call) {
		long start = System.nanoTime();
		AcquisitionOutcome outcome = AcquisitionOutcome.FAILED;
		LeaseHold hold = null;
		KeptLease lease = null;
		boolean begins = false;
		try {
			try {
				hold = this.acquirer.acquire(request, wait);
				if (hold != null) {
					lease = register(hold);
					call.acquired(lease.acquisition());
				}
				outcome = (lease != null) ? AcquisitionOutcome.ACQUIRED : whenHeld;
				call.attempted(outcome);
			}
			finally {
				this.listener.acquisitionEnded(request.name(), outcome, Duration.ofNanos(System.nanoTime() - start));
			}
			begins = true;
			return lease;
		}
		finally {
			if (hold != null && !begins) {
				this.acquirer.giveUp(hold);
			}
		}
	}

	private KeptLease register(LeaseHold hold) {
		Acquisition acquisition = new Acquisition(hold, this.registry, this.listener, this.instance);
		hold.report(acquisition);
		if (this.registry != null) {
			new Registrar(this.provider, this.registry).register(acquisition, hold);
		}
		refuseIfLost(hold);
		return new KeptLease(acquisition, (failure) -> end(acquisition, hold, failure));
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
					takes""".formatted(Acquisition.named(hold.lease().resources()), hold.heldFor().toMillis(),
					(successor != 0) ? " (generation %d has it now)".formatted(successor) : ""));
		}
	}

	private <T extends @Nullable Object, E extends Throwable> T run(KeptLease lease, FencedCallback<T, E> callback)
			throws E {
		return lease.execute((context) -> {
			this.listener.leaseAcquired(context);
			return callback.execute(context);
		});
	}

	/**
	 * Give the lease back, and name a failed guard by its class. Throws only what
	 * replaces the failure of that guard.
	 */
	private void end(Acquisition acquisition, LeaseHold hold, @Nullable Throwable failure) {
		RuntimeException stale = null;
		boolean release = false;
		try {
			// Before the release: a successor would make a current owner look stale
			stale = classifySuspect(acquisition);
			release = acquisition.mayRelease(failure);
		}
		catch (RuntimeException | Error ex) {
			// Nobody can tell what is true of it: it runs out, and the result stands
			logger.warn("The lease on %s is left to run out".formatted(acquisition.resources()), ex);
		}
		finally {
			this.acquirer.end(hold, release);
		}
		try {
			this.listener.leaseEnded(acquisition, hold.heldFor());
		}
		finally {
			raiseAboveForeignToken(acquisition);
		}
		if (stale != null && failure == acquisition.suspect()) {
			throw stale;
		}
	}

	private void raiseAboveForeignToken(Acquisition acquisition) {
		Acquisition.ForeignToken foreign = acquisition.foreignToken();
		if (foreign == null) {
			return;
		}
		long generation = FencingTokens.generation(foreign.token());
		if (generation > Registrar.GREATEST_MARK) {
			logger
				.warn("""
						What is written under '%s' carries fencing token %d, which is too great to number anything after it: \
						if it is wrong, correct the token of the row"""
					.formatted(foreign.resource(), foreign.token()));
			return;
		}
		try {
			this.provider.raise(foreign.resource(), generation);
		}
		catch (RuntimeException ex) {
			logger.debug("The counter could not be raised for '%s'".formatted(foreign.resource()), ex);
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

	/**
	 * A call that is followed.
	 *
	 * @param <T> what it returns
	 * @param <E> what it throws
	 */
	@FunctionalInterface
	private interface Followed<T extends @Nullable Object, E extends Throwable> {

		T run(FollowedCall call) throws E;

	}

}
