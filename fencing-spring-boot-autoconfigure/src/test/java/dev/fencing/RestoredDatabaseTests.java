package dev.fencing;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Somebody restores the database, or the registry alone, from a backup, while the lease
 * provider goes on.
 */
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "H2" })
class RestoredDatabaseTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private static final String TOKENS = "update FENCING_GENERATION set fencing_token = %s";

	@Parameter
	TestDatabase database;

	private FencedStack stack;

	@BeforeEach
	void work() {
		this.stack = FencedStack.on(this.database, new InMemoryLeaseProvider(), true).withCounter();
		increment();
		increment();
	}

	@AfterEach
	void close() {
		this.stack.assertUnused("counter");
		this.stack.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "update FENCING_GENERATION set fencing_token = 1000000, owner = 'earlier'",
			"delete from FENCING_GENERATION" })
	void ownersAfterARestoreWorkAndGetGreaterNumbers(String restore) {
		long before = generation();
		this.stack.jdbc().update(restore);
		increment();
		assertThat(generation()).isGreaterThan(before);
		assertThat(this.stack.counter()).isEqualTo(3);
		assertThat(this.stack.rejections()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "update FENCING_GENERATION set fencing_token = 1000000, owner = 'earlier'",
			"delete from FENCING_GENERATION" })
	void ownerDuringARestoreIsRefusedAndNotCalledStale(String restore) {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> this.stack.transaction().executeWithoutResult((status) -> {
				int seen = this.stack.counter();
				restoreOnAnotherConnection(restore);
				this.stack.jdbc().update("update counter set amount = ?", seen + 1);
			}))).satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(Rejection.Reason.FOREIGN));
		increment();
		assertThat(this.stack.counter()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1_000, 6_000_000_000_000L })
	void markFromANewerDatabaseIsHealedAndCountedAsARegression(long ahead) {
		long mark = FencingTokens.of(generation() + ahead, 0);
		this.stack.jdbc().update(TOKENS.formatted(mark));
		increment();
		assertThat(this.stack.counter()).isEqualTo(3);
		assertThat(generation()).isGreaterThan(FencingTokens.generation(mark));
		assertThat(this.stack.rejections()).singleElement()
			.satisfies((rejection) -> assertThat(rejection.reason()).isEqualTo(Rejection.Reason.REGRESSED));
	}

	@ParameterizedTest
	@ValueSource(longs = { 9_000_000_000_000_000_000L, Long.MAX_VALUE })
	void markThatIsAbsurdlyHighConcernsItsResourceAloneUntilItIsCorrected(long mark) {
		String correct = TOKENS.formatted(FencingTokens.of(generation(), 0));
		this.stack.jdbc().update(TOKENS.formatted(mark));
		assertThatExceptionOfType(IssuerRegressedException.class).isThrownBy(this::increment)
			.withMessageContaining("correct fencing_token");
		this.stack.locks()
			.executeWithoutResult(LockRequest.of("other"),
					(context) -> assertThat(context.generation()).isLessThan(FencingTokens.generation(mark)));
		this.stack.jdbc().update(correct);
		increment();
		assertThat(this.stack.counter()).isEqualTo(3);
	}

	private void increment() {
		this.stack.locks()
			.executeWithoutResult(REQUEST,
					(context) -> this.stack.transaction()
						.executeWithoutResult((status) -> this.stack.jdbc()
							.update("update counter set amount = ?", this.stack.counter() + 1)));
	}

	private long generation() {
		Long token = this.stack.jdbc()
			.queryForObject("select fencing_token from FENCING_GENERATION where resource_id = 'counter'", Long.class);
		return FencingTokens.generation((token != null) ? token : 0);
	}

	private void restoreOnAnotherConnection(String restore) {
		Thread thread = new Thread(() -> this.stack.jdbc().update(restore));
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
