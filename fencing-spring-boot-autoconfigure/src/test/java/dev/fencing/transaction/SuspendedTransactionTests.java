package dev.fencing.transaction;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Code without a transaction inside of one that is suspended for it: the lease is still
 * bound, and what a helper writes there is no part of the suspended transaction.
 */
@ParameterizedClass
@EnumSource
class SuspendedTransactionTests {

	private static final LockRequest REQUEST = LockRequest.of("tally");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, this.provider, true);

	private final FencedJdbcTemplate fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(),
			this.stack.registry(), "fencing_token");

	@Parameter
	Persistence.Kind kind;

	private Persistence persistence;

	@BeforeEach
	void open() {
		Tally.createTable(this.stack.jdbc());
		this.stack.jdbc().execute("create table entry (text text, fencing_token bigint not null default 0)");
		this.persistence = this.kind.on(this.stack.pool());
		this.stack.guard(this.persistence.manager());
	}

	@AfterEach
	void close() {
		assertThat(OpenTransactions.count()).isZero();
		this.stack.assertUnused("tally");
		this.persistence.close();
		this.stack.close();
	}

	@Test
	void helperCommitsInATransactionOfItsOwn() {
		underLease((context, outer) -> {
			this.persistence.increment();
			suspended(() -> {
				assertThat(FencingContext.require()).isSameAs(context);
				write("suspended");
				assertThat(entries()).containsExactly("suspended");
			});
			outer.setRollbackOnly();
		});
		assertThat(entries()).containsExactly("suspended");
		assertThat(this.persistence.amount()).isZero();
	}

	@Test
	void helperJoinsTheTransactionAgainThatIsResumed() {
		underLease((context, outer) -> {
			suspended(() -> write("suspended"));
			write("resumed");
			outer.setRollbackOnly();
		});
		assertThat(entries()).containsExactly("suspended");
	}

	@Test
	void helperOfAStaleOwnerIsRefusedThere() {
		underLease((context, outer) -> {
			this.persistence.increment();
			suspended(() -> {
				this.stack.takeOver(context);
				assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> write("suspended"));
			});
			outer.setRollbackOnly();
		});
		assertThat(entries()).isEmpty();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void resumedTransactionOfAnOwnerThatWentStaleMeanwhileIsRefused() {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> underLease((context, outer) -> {
			this.persistence.increment();
			suspended(() -> {
				write("suspended");
				this.stack.takeOver(context);
			});
		}));
		assertThat(entries()).containsExactly("suspended");
		assertThat(this.persistence.amount()).isZero();
	}

	@Test
	void newLeaseIsTakenThereAndGivenBackWithItsCode() {
		new TransactionTemplate(this.persistence.manager()).executeWithoutResult((outer) -> suspended(() -> {
			this.stack.locks().executeWithoutResult(REQUEST, (context) -> write("suspended"));
			assertThat(this.provider.find("tally")).isNull();
		}));
		assertThat(entries()).containsExactly("suspended");
	}

	private void underLease(Locked work) {
		this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> new TransactionTemplate(this.persistence.manager())
				.executeWithoutResult((outer) -> work.run(context, outer)));
	}

	private void suspended(Runnable work) {
		TransactionTemplate notSupported = new TransactionTemplate(this.persistence.manager());
		notSupported.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
		notSupported.executeWithoutResult((none) -> work.run());
	}

	private void write(String text) {
		this.fencedJdbc.update("insert into entry (text) values (?)", text);
	}

	private List<String> entries() {
		return this.stack.jdbc().queryForList("select text from entry", String.class);
	}

	private interface Locked {

		void run(FencingContext context, TransactionStatus outer);

	}

}
