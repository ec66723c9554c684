package dev.fencing.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencedLock;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Code that runs when a transaction has been committed, and for which Spring still says
 * that one is active: what it writes by a helper is refused, unless it begins a
 * transaction of its own, which is guarded as any other.
 */
class AfterCommitTests {

	private final ConfigurableApplicationContext context = Startup.start(Application.class, Startup.WORKING);

	private final JdbcTemplate jdbc = this.context.getBean(JdbcTemplate.class);

	private final Orders orders = this.context.getBean(Orders.class);

	private final Audit audit = this.context.getBean(Audit.class);

	@BeforeEach
	void createTable() {
		this.jdbc.execute("create table entry (text varchar(40), fencing_token bigint default 0 not null)");
	}

	@AfterEach
	void close() {
		this.context.close();
	}

	@Test
	void helperInASynchronizationIsRefused() {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> this.orders.place(() -> afterCommit(() -> this.audit.join("late"))))
			.withMessageContaining("past its guard")
			.withMessageContaining("REQUIRES_NEW");
		assertThat(entries()).containsExactly("order");
	}

	@Test
	void helperInATransactionalEventListenerIsRefused() {
		this.orders.placeAndPublish(new Placed(false, false));
		assertThat(this.context.getBean(Listener.class).failures).singleElement()
			.isInstanceOf(UnguardableStatementException.class);
		assertThat(entries()).containsExactly("order");
	}

	@Test
	void transactionOfItsOwnInASynchronizationIsCommitted() {
		this.orders.place(() -> afterCommit(() -> this.audit.apart("late")));
		assertThat(entries()).containsExactly("order", "late");
	}

	@Test
	void transactionOfItsOwnInATransactionalEventListenerIsCommitted() {
		this.orders.placeAndPublish(new Placed(true, false));
		assertThat(this.context.getBean(Listener.class).failures).isEmpty();
		assertThat(entries()).containsExactly("order", "late");
	}

	@Test
	void transactionOfItsOwnIsGuarded() {
		this.orders.placeAndPublish(new Placed(true, true));
		assertThat(this.context.getBean(Listener.class).failures).singleElement()
			.isInstanceOf(StaleGenerationException.class);
		assertThat(entries()).containsExactly("order");
		assertThat(this.context.getBean(RejectionLog.class).total()).isOne();
	}

	@Test
	void helperBeforeTheCommitIsGuarded() {
		this.orders
			.place(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void beforeCommit(boolean readOnly) {
					AfterCommitTests.this.audit.join("just in time");
				}
			}));
		assertThat(entries()).containsExactly("order", "just in time");
	}

	private List<String> entries() {
		return this.jdbc.queryForList("select text from entry", String.class);
	}

	private static void afterCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCommit() {
				work.run();
			}
		});
	}

	record Placed(boolean apart, boolean stale) {
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, Audit.class, Listener.class })
	static class Application extends Startup.WithoutRedis {

	}

	static class Orders {

		private final FencedJdbcTemplate fencedJdbc;

		private final ApplicationEventPublisher events;

		Orders(FencedJdbcTemplate fencedJdbc, ApplicationEventPublisher events) {
			this.fencedJdbc = fencedJdbc;
			this.events = events;
		}

		@FencedLock("orders")
		@Transactional
		public void place(Runnable more) {
			this.fencedJdbc.update("insert into entry (text) values (?)", "order");
			more.run();
		}

		@FencedLock("orders")
		@Transactional
		public void placeAndPublish(Placed event) {
			this.fencedJdbc.update("insert into entry (text) values (?)", "order");
			this.events.publishEvent(event);
		}

	}

	static class Audit {

		private final FencedJdbcTemplate fencedJdbc;

		Audit(FencedJdbcTemplate fencedJdbc) {
			this.fencedJdbc = fencedJdbc;
		}

		public void join(String text) {
			assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isTrue();
			this.fencedJdbc.update("insert into entry (text) values (?)", text);
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void apart(String text) {
			this.fencedJdbc.update("insert into entry (text) values (?)", text);
		}

	}

	static class Listener {

		final List<Throwable> failures = new ArrayList<>();

		private final Audit audit;

		private final GenerationRegistry registry;

		Listener(Audit audit, GenerationRegistry registry) {
			this.audit = audit;
			this.registry = registry;
		}

		@TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
		public void placed(Placed event) {
			try {
				if (event.stale()) {
					long next = FencingTokens.of(FencingContext.require().generation() + 1, 0);
					this.registry.register("orders", next, "successor");
				}
				if (event.apart()) {
					this.audit.apart("late");
				}
				else {
					this.audit.join("late");
				}
			}
			catch (RuntimeException ex) {
				// Spring would only log it
				this.failures.add(ex);
			}
		}

	}

}
