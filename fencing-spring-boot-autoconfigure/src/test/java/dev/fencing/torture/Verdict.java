package dev.fencing.torture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.fencing.FencingTokens;
import dev.fencing.Rejection;

/**
 * Compares what callers were told with what the database says, by the invariants of the
 * protocol: I1 tokens rise, I2 nothing of an earlier owner commits, I3 no update is lost,
 * I4 and I5 an operation is applied once, or not at all if it was refused, I6 rejections
 * are of the right class.
 */
final class Verdict {

	private final Map<Operation, Outcome> operations;

	private final Books books;

	private final List<Rejection> rejections;

	private final List<String> violations = new ArrayList<>();

	private Verdict(Map<Operation, Outcome> operations, Books books, List<Rejection> rejections) {
		this.operations = operations;
		this.books = books;
		this.rejections = rejections;
	}

	/**
	 * Return what is wrong.
	 * @param fenced whether the library has protected the accounts; a control has no
	 * registrations to compare with
	 * @param operations what callers were told
	 * @param books what the database says
	 * @param rejections what was refused
	 * @return the violations, empty if there are none
	 */
	static List<String> of(boolean fenced, Map<Operation, Outcome> operations, Books books,
			List<Rejection> rejections) {
		Verdict verdict = new Verdict(operations, books, rejections);
		verdict.checkOperations();
		verdict.checkAccounts();
		if (fenced) {
			verdict.checkOrder();
			verdict.checkRejections();
		}
		return verdict.violations;
	}

	/**
	 * Return what is wrong when nothing has gone wrong and leases are exclusive: whoever
	 * was not told so is a victim of the library.
	 * @param operations what callers were told
	 * @param rejections what was refused
	 * @return the violations, empty if there are none
	 */
	static List<String> ofFaultless(Map<Operation, Outcome> operations, List<Rejection> rejections) {
		List<String> violations = new ArrayList<>();
		operations.forEach((operation, outcome) -> {
			if (outcome != Outcome.ACKNOWLEDGED && outcome != Outcome.UNAVAILABLE) {
				violations.add("%s was %s, and nothing had gone wrong".formatted(operation, outcome));
			}
		});
		rejections.forEach((rejection) -> violations.add("%s, and nothing had gone wrong".formatted(rejection)));
		return violations;
	}

	private void checkOrder() {
		Map<String, Books.Entry> registered = new HashMap<>();
		for (Books.Entry entry : this.books.journal()) {
			Books.Entry last = registered.get(entry.resource());
			if (entry.registered() == null) {
				require(last != null && last.owner().equals(entry.owner()), "I2: operation %s of %s committed after %s",
						entry.operation(), entry.owner(), last);
			}
			else {
				require(last == null || entry.registered() > token(last), "I1: %s registered after %s", entry, last);
				registered.put(entry.resource(), entry);
			}
		}
	}

	private void checkOperations() {
		this.operations.forEach((operation, outcome) -> {
			for (int part = 0; part < operation.parts(); part++) {
				boolean last = part == operation.parts() - 1;
				checkPart(operation, part, (last || outcome == Outcome.ACKNOWLEDGED || outcome == Outcome.UNAVAILABLE)
						? outcome : Outcome.UNKNOWN);
			}
		});
	}

	/**
	 * Check one transaction of an operation. Of an earlier one nothing is known if a
	 * later one has failed.
	 */
	private void checkPart(Operation operation, int part, Outcome outcome) {
		Set<Integer> accounts = new HashSet<>();
		for (Books.Applied applied : this.books.applied()) {
			if (applied.operation() == operation.id() && applied.part() == part) {
				require(accounts.add(applied.account()), "I4: part %d of operation %d was applied twice", part,
						operation.id());
			}
		}
		boolean whole = accounts.size() == operation.accounts().size();
		switch (outcome) {
			case ACKNOWLEDGED ->
				require(whole, "I3: part %d of %s was acknowledged and is not applied", part, operation);
			case UNKNOWN -> require(whole || accounts.isEmpty(), "I5: part %d of %s is applied to %s only", part,
					operation, accounts);
			default -> require(accounts.isEmpty(), "I4: part %d of %s was %s and is applied", part, operation, outcome);
		}
	}

	private void checkAccounts() {
		Map<Integer, Operation> byId = new HashMap<>();
		this.operations.keySet().forEach((operation) -> byId.put(operation.id(), operation));
		for (Books.Account account : this.books.accounts()) {
			int amount = 0;
			Set<String> entries = new HashSet<>();
			for (Books.Applied applied : this.books.applied()) {
				Operation operation = byId.get(applied.operation());
				if (operation != null && applied.account() == account.id()) {
					amount += operation.change(account.id());
					if (operation.kind() == Operation.Kind.APPEND) {
						entries.add(Integer.toString(operation.id()));
					}
				}
			}
			require(account.amount() == amount, "I3: account %d holds %d instead of %d", account.id(), account.amount(),
					amount);
			List<String> there = account.entries().isEmpty() ? List.of() : List.of(account.entries().split(","));
			require(there.size() == entries.size() && entries.containsAll(there),
					"I3: the entries of account %d are %s instead of %s", account.id(), there, entries);
		}
	}

	private void checkRejections() {
		for (Rejection rejection : this.rejections) {
			Long accepted = rejection.acceptedToken();
			long own = FencingTokens.generation(rejection.rejectedToken());
			boolean later = accepted != null && FencingTokens.generation(accepted) > own;
			switch (rejection.reason()) {
				case STALE -> require(later && hasSuccessor(rejection, own), "I6: a current owner was called stale: %s",
						rejection);
				case REGRESSED -> require(
						accepted != null && accepted >= rejection.rejectedToken()
								&& rejection.guard() == Rejection.Guard.REGISTRATION,
						"I6: called regressed without reason: %s", rejection);
				case FOREIGN -> require(rejection.guard() == Rejection.Guard.ROW || !later,
						"I6: a stale owner was called foreign: %s", rejection);
			}
		}
	}

	private boolean hasSuccessor(Rejection rejection, long generation) {
		return this.books.journal()
			.stream()
			.anyMatch((entry) -> entry.registered() != null && entry.resource().equals(rejection.resource())
					&& !entry.owner().equals(rejection.owner()) && FencingTokens.generation(token(entry)) > generation);
	}

	private static long token(Books.Entry entry) {
		Long token = entry.registered();
		return (token != null) ? token : 0;
	}

	private void require(boolean holds, String message, Object... arguments) {
		if (!holds) {
			this.violations.add(message.formatted(arguments));
		}
	}

}
