package dev.fencing.torture;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.fencing.FencingTokens;
import dev.fencing.Rejection;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checker itself: books that are in order pass, and each fault in them is found.
 */
class VerdictTests {

	private static final Operation APPEND = new Operation(1, Operation.Kind.APPEND, List.of(7), Operation.Style.PLAIN,
			false);

	private static final Operation TRANSFER = new Operation(2, Operation.Kind.TRANSFER, List.of(7, 8),
			Operation.Style.NESTED, false);

	private static final List<Books.Account> ACCOUNTS = List.of(new Books.Account(7, 0, "1,"),
			new Books.Account(8, 1, ""));

	private static final List<Books.Applied> APPLIED = List.of(new Books.Applied(1, 0, 7), new Books.Applied(2, 0, 7),
			new Books.Applied(2, 0, 8));

	private static final List<Books.Entry> JOURNAL = List.of(registered(7, 41, "a"), committed(7, 1, "a"),
			registered(7, 42, "b"), registered(8, 43, "c"), committed(7, 2, "b"), committed(8, 2, "c"));

	private final Map<Operation, Outcome> outcomes = new LinkedHashMap<>(
			Map.of(APPEND, Outcome.ACKNOWLEDGED, TRANSFER, Outcome.ACKNOWLEDGED));

	@Test
	void booksInOrderPass() {
		assertThat(verdict(ACCOUNTS, APPLIED, JOURNAL)).isEmpty();
	}

	@Test
	void operationThatIsAppliedMayBeUnknown() {
		this.outcomes.put(TRANSFER, Outcome.UNKNOWN);
		assertThat(verdict(ACCOUNTS, APPLIED, JOURNAL)).isEmpty();
	}

	@Test
	void tokenThatFallsIsFound() {
		assertThat(verdict(ACCOUNTS, APPLIED,
				List.of(registered(7, 42, "a"), committed(7, 1, "a"), registered(7, 42, "b"))))
			.singleElement()
			.asString()
			.startsWith("I1");
	}

	@Test
	void commitOfAnEarlierOwnerIsFound() {
		assertThat(verdict(ACCOUNTS, APPLIED,
				List.of(registered(7, 41, "a"), registered(7, 42, "b"), committed(7, 1, "a"))))
			.singleElement()
			.asString()
			.startsWith("I2");
	}

	@Test
	void commitOfAnOwnerThatIsNotRegisteredIsFound() {
		assertThat(verdict(ACCOUNTS, APPLIED, List.of(committed(7, 1, "a")))).singleElement()
			.asString()
			.startsWith("I2");
	}

	@Test
	void amountThatMissesAnUpdateIsFound() {
		assertThat(verdict(List.of(new Books.Account(7, -1, "1,")), APPLIED, JOURNAL)).singleElement()
			.asString()
			.startsWith("I3");
	}

	@Test
	void entryThatIsOverwrittenIsFound() {
		assertThat(verdict(List.of(new Books.Account(7, 0, "")), APPLIED, JOURNAL)).singleElement()
			.asString()
			.startsWith("I3");
	}

	@Test
	void acknowledgedOperationThatIsNotAppliedIsFound() {
		assertThat(verdict(List.of(), List.of(new Books.Applied(1, 0, 7), new Books.Applied(2, 0, 7)), JOURNAL))
			.singleElement()
			.asString()
			.startsWith("I3");
	}

	@Test
	void refusedOperationThatIsAppliedIsFound() {
		this.outcomes.put(APPEND, Outcome.REFUSED);
		assertThat(verdict(ACCOUNTS, APPLIED, JOURNAL)).singleElement().asString().startsWith("I4");
	}

	@Test
	void operationThatIsAppliedTwiceIsFound() {
		List<Books.Applied> twice = List.of(new Books.Applied(1, 0, 7), new Books.Applied(1, 0, 7),
				new Books.Applied(2, 0, 7), new Books.Applied(2, 0, 8));
		assertThat(verdict(List.of(), twice, JOURNAL)).singleElement().asString().startsWith("I4");
	}

	@Test
	void unknownOperationThatIsAppliedInPartIsFound() {
		this.outcomes.put(TRANSFER, Outcome.UNKNOWN);
		assertThat(verdict(List.of(), List.of(new Books.Applied(1, 0, 7), new Books.Applied(2, 0, 7)), JOURNAL))
			.singleElement()
			.asString()
			.startsWith("I5");
	}

	@Test
	void secondPartThatIsRefusedLeavesTheFirst() {
		assertThat(twice(Outcome.REFUSED, 0)).isEmpty();
		assertThat(twice(Outcome.REFUSED, 0, 1)).singleElement().asString().startsWith("I4");
	}

	@Test
	void acknowledgedOperationOfTwoPartsHasBoth() {
		assertThat(twice(Outcome.ACKNOWLEDGED, 0, 1)).isEmpty();
		assertThat(twice(Outcome.ACKNOWLEDGED, 1)).singleElement().asString().startsWith("I3");
		assertThat(twice(Outcome.ACKNOWLEDGED, 0)).singleElement().asString().startsWith("I3");
	}

	@Test
	void partThatIsAppliedTwiceIsFound() {
		assertThat(twice(Outcome.UNKNOWN, 1)).isEmpty();
		assertThat(twice(Outcome.UNKNOWN, 1, 1)).singleElement().asString().startsWith("I4");
	}

	@Test
	void whoeverFailsWhenNothingGoesWrongIsFound() {
		assertThat(Verdict.ofFaultless(Map.of(APPEND, Outcome.ACKNOWLEDGED, TRANSFER, Outcome.UNAVAILABLE), List.of()))
			.isEmpty();
		for (Outcome outcome : List.of(Outcome.FAILED, Outcome.UNKNOWN, Outcome.REFUSED)) {
			assertThat(Verdict.ofFaultless(Map.of(APPEND, outcome), List.of())).hasSize(1);
		}
		assertThat(Verdict.ofFaultless(Map.of(), List.of(rejection(Rejection.Reason.STALE, 41, null)))).hasSize(1);
	}

	@Test
	void staleOwnerThatHasASuccessorPasses() {
		assertThat(verdict(rejection(Rejection.Reason.STALE, 41, FencingTokens.of(42, 0)))).isEmpty();
	}

	@Test
	void currentOwnerThatIsCalledStaleIsFound() {
		assertThat(verdict(rejection(Rejection.Reason.STALE, 42, FencingTokens.of(43, 0)))).singleElement()
			.asString()
			.startsWith("I6");
		assertThat(verdict(rejection(Rejection.Reason.STALE, 41, null))).singleElement().asString().startsWith("I6");
	}

	@Test
	void staleOwnerThatIsCalledForeignOrRegressedIsFound() {
		assertThat(verdict(rejection(Rejection.Reason.FOREIGN, 41, FencingTokens.of(42, 0)))).singleElement()
			.asString()
			.startsWith("I6");
		assertThat(verdict(rejection(Rejection.Reason.REGRESSED, 41, FencingTokens.of(42, 0)))).singleElement()
			.asString()
			.startsWith("I6");
	}

	private List<String> verdict(List<Books.Account> accounts, List<Books.Applied> applied, List<Books.Entry> journal) {
		return Verdict.of(true, this.outcomes, new Books(accounts, applied, journal), List.of());
	}

	private static List<String> twice(Outcome outcome, int... parts) {
		Operation twice = new Operation(3, Operation.Kind.TWICE, List.of(9), Operation.Style.PLAIN, false);
		List<Books.Applied> applied = Arrays.stream(parts).mapToObj((part) -> new Books.Applied(3, part, 9)).toList();
		return Verdict.of(false, Map.of(twice, outcome),
				new Books(List.of(new Books.Account(9, parts.length, "")), applied, List.of()), List.of());
	}

	private List<String> verdict(Rejection rejection) {
		return Verdict.of(true, this.outcomes, new Books(ACCOUNTS, APPLIED, JOURNAL), List.of(rejection));
	}

	private static Rejection rejection(Rejection.Reason reason, long generation, @Nullable Long accepted) {
		return new Rejection(Instant.EPOCH, Operation.LOCK, Operation.resource(7), FencingTokens.of(generation, 1),
				accepted, Rejection.Guard.TRANSACTION, reason, "a", "test");
	}

	private static Books.Entry registered(int account, long generation, String owner) {
		return new Books.Entry(Operation.resource(account), FencingTokens.of(generation, 0), null, owner);
	}

	private static Books.Entry committed(int account, int operation, String owner) {
		return new Books.Entry(Operation.resource(account), null, operation, owner);
	}

}
