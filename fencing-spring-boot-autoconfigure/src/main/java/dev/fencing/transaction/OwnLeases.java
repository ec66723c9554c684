package dev.fencing.transaction;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.FencedCallback;
import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;

/**
 * The leases that the current thread has already on what is asked for: those under which
 * it runs, and those that its open transactions keep. Several where they were taken one
 * by one.
 */
final class OwnLeases {

	private final LockRequest request;

	private final Set<FencingContext> acquisitions = new LinkedHashSet<>();

	private final Set<KeptLease> kept = new LinkedHashSet<>();

	private OwnLeases(LockRequest request) {
		this.request = request;
	}

	/**
	 * Find the leases on all of a request.
	 * @return the leases, or null if the thread has none on any of it
	 * @throws LeaseUnavailableException if it has some on a part of it only
	 */
	static @Nullable OwnLeases find(LockRequest request) {
		if (FencingContextHolder.current() == null && OpenTransactions.count() == 0) {
			return null;
		}
		OwnLeases own = new OwnLeases(request);
		List<String> missing = request.resources().stream().filter((resource) -> !own.add(resource)).toList();
		if (missing.size() == request.resources().size()) {
			return null;
		}
		if (!missing.isEmpty()) {
			throw new LeaseUnavailableException("""
					Of the resources %s, this thread holds some and not %s: to wait for the rest while holding the \
					others could go on for ever. Lock all of them in the outermost method (keys), or only those that \
					are missing""".formatted(request.resources(), missing));
		}
		return own;
	}

	private boolean add(String resource) {
		FencingContext bound = FencingContextHolder.find(resource);
		if (bound != null) {
			this.acquisitions.add(bound);
			return true;
		}
		KeptLease lease = OpenTransactions.keptLease(resource);
		if (lease == null) {
			return false;
		}
		this.kept.add(lease);
		this.acquisitions.add(lease.acquisition());
		return true;
	}

	/**
	 * Run code under all of them.
	 * @param callback the code
	 * @return what the code returns
	 */
	<T extends @Nullable Object, E extends Throwable> T execute(FencedCallback<T, E> callback) throws E {
		checkKept();
		FencingContext context = context();
		FencedCallback<T, E> nested = (innermost) -> callback.execute(context);
		for (KeptLease lease : this.kept) {
			FencedCallback<T, E> inner = nested;
			nested = (outer) -> lease.execute(inner);
		}
		return nested.execute(context);
	}

	/**
	 * Begin to run code under all of them. They are held until it is done, also if what
	 * took them is done before.
	 * @return to be run when the code is done
	 */
	Runnable enter() {
		checkKept();
		List<Runnable> leaving = new ArrayList<>();
		for (Acquisition acquisition : acquisitions()) {
			KeptLease lease = acquisition.keptLease();
			Assert.state(lease != null, "A lease that is held is kept by somebody");
			Set<OpenTransaction> suspended = lease.enter();
			leaving.add(0, () -> lease.leave(suspended, null));
		}
		return () -> leaving.forEach(Runnable::run);
	}

	/**
	 * Return what code that runs under all of them sees.
	 */
	FencingContext context() {
		return (this.acquisitions.size() == 1) ? this.acquisitions.iterator().next()
				: new JointContext(this.request, List.copyOf(this.acquisitions));
	}

	List<Acquisition> acquisitions() {
		return this.acquisitions.stream().map(Acquisition.class::cast).toList();
	}

	private void checkKept() {
		if (!this.kept.isEmpty()) {
			ActiveTransaction.checkKept(this.request);
		}
	}

}
