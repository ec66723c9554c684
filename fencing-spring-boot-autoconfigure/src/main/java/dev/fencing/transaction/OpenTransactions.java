package dev.fencing.transaction;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;

/**
 * The transactions on the fenced database that the current thread has open, suspended
 * ones among them. Kept from the callbacks of the transaction managers, so that
 * transactions without synchronization are known as well.
 *
 * @since 0.1.0
 */
public final class OpenTransactions {

	private static final ThreadLocal<List<OpenTransaction>> OPEN = new ThreadLocal<>();

	private OpenTransactions() {
	}

	/**
	 * Return the transaction whose connection is bound to the current thread.
	 * @return the transaction that began last, or null if none is open or all are
	 * suspended
	 */
	public static @Nullable OpenTransaction bound() {
		List<OpenTransaction> open = open();
		for (int i = open.size() - 1; i >= 0; i--) {
			if (open.get(i).isBound()) {
				return open.get(i);
			}
		}
		return null;
	}

	/**
	 * Return how many there are, those included whose end nobody has told yet.
	 */
	static int count() {
		return open().size();
	}

	/**
	 * Return the transactions whose connections are bound to the current thread: several
	 * where transaction managers share the database.
	 */
	static List<OpenTransaction> allBound() {
		return open().stream().filter(OpenTransaction::isBound).toList();
	}

	/**
	 * Return the transactions that code run from now on has no part in.
	 */
	static Set<OpenTransaction> suspended() {
		List<OpenTransaction> open = open();
		return open.isEmpty() ? Set.of()
				: open.stream().filter((transaction) -> !transaction.isBound()).collect(Collectors.toSet());
	}

	static List<OpenTransaction> allBut(Set<OpenTransaction> excluded) {
		endForgotten();
		List<OpenTransaction> open = open();
		return open.isEmpty() ? List.of()
				: open.stream().filter((transaction) -> !excluded.contains(transaction)).toList();
	}

	/**
	 * Return the lease of a resource that an open transaction keeps for code that has
	 * returned.
	 */
	static @Nullable KeptLease keptLease(String resource) {
		endForgotten();
		for (OpenTransaction transaction : open()) {
			KeptLease lease = transaction.keptLease(resource);
			if (lease != null) {
				return lease;
			}
		}
		return null;
	}

	/**
	 * Return the acquisitions that the current thread holds: those under which it runs,
	 * and those that its open transactions keep.
	 * @return the acquisitions; never null
	 */
	public static Set<Acquisition> heldAcquisitions() {
		endForgotten();
		Set<Acquisition> held = new LinkedHashSet<>();
		for (FencingContext context : FencingContextHolder.all()) {
			held.add((Acquisition) context);
		}
		open().forEach((transaction) -> held.addAll(transaction.keptAcquisitions()));
		return held;
	}

	/**
	 * End the transactions whose manager has told nobody about their end, since another
	 * listener failed in between.
	 */
	private static void endForgotten() {
		for (OpenTransaction transaction : List.copyOf(open())) {
			if (transaction.isCompleted()) {
				remove(transaction);
				transaction.ended(CommitOutcome.UNKNOWN);
			}
		}
	}

	static void add(OpenTransaction transaction) {
		endForgotten();
		List<OpenTransaction> open = OPEN.get();
		if (open == null) {
			open = new ArrayList<>(2);
			OPEN.set(open);
		}
		open.add(transaction);
	}

	static @Nullable OpenTransaction find(TransactionExecution execution) {
		for (OpenTransaction transaction : open()) {
			if (transaction.isOf(execution)) {
				return transaction;
			}
		}
		return null;
	}

	/**
	 * Return another transaction of this thread that has locked the registry's row of an
	 * acquisition.
	 */
	static @Nullable OpenTransaction otherThatLocked(Acquisition acquisition, OpenTransaction open) {
		for (OpenTransaction transaction : open()) {
			if (transaction != open && transaction.hasLocked(acquisition)) {
				return transaction;
			}
		}
		return null;
	}

	static boolean owns(TransactionConnection connection) {
		for (OpenTransaction transaction : open()) {
			if (connection.equals(transaction.connection())) {
				return true;
			}
		}
		return false;
	}

	static void remove(OpenTransaction transaction) {
		List<OpenTransaction> open = OPEN.get();
		if (open != null && open.remove(transaction) && open.isEmpty()) {
			OPEN.remove();
		}
	}

	private static List<OpenTransaction> open() {
		List<OpenTransaction> open = OPEN.get();
		return (open != null) ? open : List.of();
	}

}
