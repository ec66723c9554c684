package dev.fencing.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.JpaUnit;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A transaction inside of another one whose registry row is locked already must not wait
 * for itself, and what became of an earlier transaction must not be held against the
 * owner.
 */
class InnerTransactionTests {

	private static final LockRequest REQUEST = LockRequest.of("note").key(1);

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, this.provider, true);

	private final JpaUnit unit = JpaUnit.on(this.stack.pool(), Note.class);

	private final JpaTransactionManager jpa = this.stack.guard(this.unit.transactionManager());

	@BeforeEach
	void createTables() {
		Note.onUpdate.set(() -> {
		});
		this.stack.jdbc().execute("""
				create table note (id bigint primary key, title text unique, fencing_token bigint not null default 0);
				insert into note values (1, 'a'), (2, 'b');
				create table audit (what text)""");
	}

	@AfterEach
	void close() {
		this.unit.close();
		this.stack.close();
	}

	@Test
	void callbackOfTheFlushThatOpensATransactionIsRefusedAndDoesNotHang() {
		Note.onUpdate.set(() -> audit(this.jpa));
		inTime(() -> assertThatThrownBy(
				() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> rename(1, "x")))
			.rootCause()
			.isInstanceOf(UnguardableStatementException.class)
			.hasMessageContaining("inside of another one"));
		assertThat(title(1)).isEqualTo("a");
		assertThat(audits()).isZero();
		assertThat(this.provider.find(REQUEST.resource())).isNull();
		assertThat(this.stack.rejections()).isEmpty();
	}

	@Test
	void refusedOwnerThatRecordsTheRefusalInATransactionOfItsOwnIsRefusedAgain() {
		FencedJdbcTemplate fencedJdbc = new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(),
				this.stack.registry(), "fencing_token");
		inTime(() -> assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
				this.stack.takeOver(context);
				stampByLaterOwner(context);
				this.stack.transaction()
					.executeWithoutResult((status) -> assertThatExceptionOfType(StaleGenerationException.class)
						.isThrownBy(() -> fencedJdbc.update("update note set title = 'x' where id = ?", 1L))
						.satisfies((refusal) -> assertThatThrownBy(() -> audit(this.stack.transactionManager()))
							.isInstanceOf(StaleGenerationException.class)));
			})));
		assertThat(audits()).isZero();
		assertThat(this.stack.rejections()).hasSize(1);
	}

	@Test
	void duplicateThatTheApplicationHasDealtWithDoesNotKeepTheLease() {
		this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> rename(1, "b")));
		assertThat(this.provider.find(REQUEST.resource())).isNull();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
				assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(() -> rename(1, "b"));
				throw new IllegalStateException("The title is taken");
			}));
		assertThat(this.provider.find(REQUEST.resource())).isNull();
	}

	@Test
	void ownerWhoseSecondAttemptWasCommittedIsNotCalledStaleForTheFirst() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			TransactionTemplate impatient = new TransactionTemplate(this.stack.transactionManager());
			impatient.setTimeout(1);
			new TransactionTemplate(new JdbcTransactionManager(this.stack.pool())).executeWithoutResult((blocking) -> {
				this.stack.jdbc().queryForList("select 1 from FENCING_GENERATION for update");
				assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> CompletableFuture
					.runAsync(() -> underSameLease(context,
							() -> impatient.executeWithoutResult(
									(status) -> this.stack.jdbc().update("update note set title = 'x' where id = 1"))))
					.join());
			});
			impatient
				.executeWithoutResult((status) -> this.stack.jdbc().update("update note set title = 'y' where id = 1"));
			this.stack.takeOver(context);
		});
		assertThat(title(1)).isEqualTo("y");
		assertThat(this.stack.rejections()).isEmpty();
	}

	private static void underSameLease(FencingContext context, Runnable code) {
		FencingContextHolder.bind(context);
		try {
			code.run();
		}
		finally {
			FencingContextHolder.unbind(context);
		}
	}

	private void rename(long id, String title) {
		new TransactionTemplate(this.jpa)
			.executeWithoutResult((status) -> this.unit.entityManager().find(Note.class, id).title = title);
	}

	private void audit(PlatformTransactionManager manager) {
		requiresNew(manager)
			.executeWithoutResult((status) -> this.stack.jdbc().update("insert into audit values ('written')"));
	}

	private void stampByLaterOwner(FencingContext context) {
		this.stack.jdbc().update("update note set fencing_token = ?", (context.generation() + 1) * 1_000_000 + 1);
	}

	private String title(long id) {
		return this.stack.jdbc().queryForObject("select title from note where id = ?", String.class, id);
	}

	private int audits() {
		Integer count = this.stack.jdbc().queryForObject("select count(*) from audit", Integer.class);
		return (count != null) ? count : -1;
	}

	private static TransactionTemplate requiresNew(PlatformTransactionManager manager) {
		TransactionTemplate template = new TransactionTemplate(manager);
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	private static void inTime(Runnable code) {
		CompletableFuture.runAsync(code).orTimeout(30, TimeUnit.SECONDS).join();
	}

	@Entity(name = "note")
	public static class Note {

		static final AtomicReference<Runnable> onUpdate = new AtomicReference<>(() -> {
		});

		@Id
		public long id;

		@Column(unique = true)
		public String title;

		@PreUpdate
		void update() {
			onUpdate.get().run();
		}

	}

}
