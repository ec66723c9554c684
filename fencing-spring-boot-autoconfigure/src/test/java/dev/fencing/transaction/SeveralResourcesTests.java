package dev.fencing.transaction;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.FencingContext;
import dev.fencing.FencingException;
import dev.fencing.FencingTokens;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * One acquisition of several resources is registered for each of them and guarded on each
 * of them.
 */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class SeveralResourcesTests {

	private static final LockRequest BOTH = LockRequest.of("account").keys(List.of(7, 3));

	@Parameter
	private TestDatabase database;

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider(false);

	private FencedStack stack;

	private FencedJdbcTemplate fencedJdbc;

	@BeforeEach
	void open() {
		this.stack = FencedStack.on(this.database, this.provider, true);
		this.fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(), this.stack.registry(),
				"fencing_token");
		this.stack.jdbc()
			.execute(
					"create table account (id int primary key, amount int not null, fencing_token bigint not null default 0)");
		this.stack.jdbc().update("insert into account (id, amount) values (3, 100), (7, 100)");
	}

	@AfterEach
	void close() {
		this.stack.close();
	}

	@Test
	void ownerIsRegisteredForEachUnderOneGeneration() {
		this.stack.locks().executeWithoutResult(BOTH, (context) -> {
			assertThat(context.resources()).containsExactly("account:3", "account:7");
			for (String resource : context.resources()) {
				RegisteredGeneration registered = this.stack.registry().find(resource);
				assertThat(registered).isNotNull();
				assertThat(registered.token()).isEqualTo(FencingTokens.of(context.generation(), 0));
			}
			assertThat(FencingContext.require("account", 7)).isSameAs(context);
			assertThat(FencingContext.require("account", 3)).isSameAs(context);
			context.assertCurrent();
		});
		assertThat(this.provider.find("account:3")).isNull();
		assertThat(this.provider.find("account:7")).isNull();
	}

	@Test
	void rowsOfAllOfThemAreWrittenUnderOneAcquisition() {
		this.stack.locks().executeWithoutResult(BOTH, (context) -> transfer());
		assertThat(amounts()).containsExactly(90, 110);
		this.stack.locks()
			.executeWithoutResult(LockRequest.of("account").key(7),
					(context) -> this.fencedJdbc.update("update account set amount = 0 where id = 7"));
		assertThat(amounts()).containsExactly(90, 0);
		assertThat(this.stack.rejections()).isEmpty();
	}

	@Test
	void ownerWhoIsStaleForOneOfThemCommitsNothing() {
		for (String lost : BOTH.resources()) {
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(BOTH, (context) -> this.stack.transaction().executeWithoutResult((status) -> {
					this.stack.jdbc().update("update account set amount = amount + 1");
					this.stack.takeOver(context, lost);
				}))).satisfies((refusal) -> assertThat(refusal.getResource()).isEqualTo(lost));
		}
		assertThat(amounts()).containsExactly(100, 100);
		assertThat(this.stack.rejections()).filteredOn((rejection) -> rejection.reason() == Rejection.Reason.STALE)
			.extracting(Rejection::guard, Rejection::resource)
			.containsExactly(tuple(Rejection.Guard.TRANSACTION, "account:3"),
					tuple(Rejection.Guard.TRANSACTION, "account:7"));
	}

	@Test
	void rowOfALaterOwnerOfOneOfThemIsRefused() {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(BOTH, (context) -> {
				this.stack.takeOver(context, "account:7");
				this.stack.jdbc()
					.update("update account set fencing_token = ? where id = 7",
							FencingTokens.of(context.generation() + 1, 1));
				transfer();
			}))
			.satisfies((refusal) -> {
				assertThat(refusal.getResource()).isEqualTo("account:7");
				assertThat(refusal.getGuard()).isEqualTo(Rejection.Guard.ROW);
				assertThat(refusal.getReason()).isEqualTo(Rejection.Reason.STALE);
			});
		assertThat(amounts()).containsExactly(100, 100);
	}

	@Test
	void ownerWhoIsStaleForOneOfThemIsNotCurrent() {
		this.stack.locks().executeWithoutResult(BOTH, (context) -> {
			this.stack.takeOver(context, "account:7");
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(context::assertCurrent);
		});
	}

	@Test
	void numberThatTheDatabaseHasAcceptedForOneOfThemIsHealedForAll() {
		this.stack.registry().register("account:7", FencingTokens.of(500, 0), "somebody");
		this.stack.locks().executeWithoutResult(BOTH, (context) -> {
			assertThat(context.generation()).isEqualTo(501);
			for (String resource : context.resources()) {
				RegisteredGeneration registered = this.stack.registry().find(resource);
				assertThat(registered).isNotNull();
				assertThat(registered.token()).isEqualTo(FencingTokens.of(501, 0));
			}
			transfer();
		});
		assertThat(amounts()).containsExactly(90, 110);
		assertThat(this.stack.rejections()).extracting(Rejection::reason).containsExactly(Rejection.Reason.REGRESSED);
	}

	@Test
	void partOfWhatIsHeldIsHeldAlready() {
		this.stack.locks()
			.executeWithoutResult(BOTH,
					(context) -> this.stack.locks()
						.executeWithoutResult(LockRequest.of("account").key(7),
								(inner) -> assertThat(inner).isSameAs(context)));
	}

	@Test
	void leasesThatWereTakenOneByOneAreEnteredTogether() {
		LockRequest account = LockRequest.of("account");
		this.stack.locks()
			.executeWithoutResult(account.key(7),
					(seven) -> this.stack.locks()
						.executeWithoutResult(account.key(3),
								(three) -> this.stack.locks().executeWithoutResult(BOTH, (both) -> {
									assertThat(both.resources()).containsExactly("account:3", "account:7");
									assertThat(both.isLost()).isFalse();
									assertThat(both.remaining()).isPositive();
									both.assertCurrent();
									// Each of them has its own
									assertThatExceptionOfType(FencingException.class).isThrownBy(both::nextToken)
										.withMessageContaining("FencingContext.require(name, key)");
									assertThatExceptionOfType(FencingException.class).isThrownBy(both::generation);
									this.stack.takeOver(seven);
									assertThatExceptionOfType(StaleGenerationException.class)
										.isThrownBy(both::assertCurrent)
										.satisfies(
												(refusal) -> assertThat(refusal.getResource()).isEqualTo("account:7"));
								})));
	}

	@Test
	void restOfWhatIsHeldInPartIsNotWaitedFor() {
		AtomicInteger runs = new AtomicInteger();
		this.stack.locks().executeWithoutResult(LockRequest.of("account").key(3), (context) -> {
			assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> this.stack.locks()
					.executeWithoutResult(BOTH.waitTime(Duration.ofDays(1)), (inner) -> runs.incrementAndGet()))
				.withMessageContaining("account:7")
				.withMessageContaining("outermost");
			assertThat(this.provider.find("account:7")).isNull();
		});
		assertThat(runs).hasValue(0);
	}

	@Test
	void nothingIsTakenWhileOneOfThemIsHeld() {
		this.stack.locks().executeWithoutResult(BOTH, (context) -> {
			assertThat(tryInAnotherThread(Set.of(1, 3))).isEmpty();
			assertThat(this.provider.find("account:1")).isNull();
			assertThat(tryInAnotherThread(Set.of(1, 4))).isPresent();
		});
		assertThat(tryInAnotherThread(Set.of(1, 3))).isPresent();
	}

	private Optional<String> tryInAnotherThread(Set<Integer> keys) {
		return CompletableFuture
			.supplyAsync(() -> this.stack.locks().tryExecute(LockRequest.of("account").keys(keys), (context) -> "ran"))
			.join();
	}

	private void transfer() {
		this.stack.transaction().executeWithoutResult((status) -> {
			this.fencedJdbc.update("update account set amount = amount - 10 where id = 3");
			this.fencedJdbc.update("update account set amount = amount + 10 where id = 7");
		});
	}

	private List<Integer> amounts() {
		return this.stack.jdbc().queryForList("select amount from account order by id", Integer.class);
	}

}
