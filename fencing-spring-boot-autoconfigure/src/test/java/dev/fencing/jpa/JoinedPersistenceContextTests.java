package dev.fencing.jpa;

import java.util.concurrent.CompletableFuture;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLock;
import dev.fencing.FencingException;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.Tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A locked method that is called inside an open transaction, where that is allowed: the
 * entities of that transaction were read before the lease.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "fencing.provider=memory", "fencing.lock.active-transaction=join",
				"spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create" })
@Timeout(60)
class JoinedPersistenceContextTests {

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private LeaseProvider provider;

	@Autowired
	private Tallies tallies;

	@PersistenceContext
	private EntityManager entityManager;

	private TransactionTemplate transaction;

	@BeforeEach
	void reset(@Autowired PlatformTransactionManager transactionManager) {
		this.transaction = new TransactionTemplate(transactionManager);
		this.jdbc.update("delete from tally");
		this.jdbc.update("insert into tally (id, amount) values (1, 0)");
	}

	@Test
	void entityThatWasLoadedBeforeTheLockIsReadAnew() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.entityManager.find(Tally.class, 1L).getAmount()).isZero();
			CompletableFuture.runAsync(() -> this.tallies.increment(1)).join();
			assertThat(this.tallies.increment(1)).isEqualTo(2);
			assertThat(this.provider.find("tally:1")).isNotNull();
		});
		assertThat(amount()).isEqualTo(2);
		assertThat(this.provider.find("tally:1")).isNull();
	}

	@Test
	void changesFromBeforeTheLockAreRefused() {
		this.transaction.executeWithoutResult((status) -> {
			this.entityManager.find(Tally.class, 1L).setAmount(99);
			assertThatExceptionOfType(FencingException.class).isThrownBy(() -> this.tallies.increment(1))
				.withMessageContaining("changes that are not flushed");
			status.setRollbackOnly();
		});
		assertThat(amount()).isZero();
		assertThat(this.provider.find("tally:1")).isNull();
	}

	@Test
	void changesUnderTheLeaseAreThereForTheNextLockedMethod() {
		this.transaction.executeWithoutResult((status) -> {
			this.tallies.increment(1);
			assertThat(this.tallies.increment(1)).isEqualTo(2);
		});
		assertThat(amount()).isEqualTo(2);
	}

	private Integer amount() {
		return this.jdbc.queryForObject("select amount from tally where id = 1", Integer.class);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EntityScan(basePackageClasses = Tally.class)
	@Import(Tallies.class)
	static class Application {

	}

	static class Tallies {

		@PersistenceContext
		private EntityManager entityManager;

		@FencedLock(name = "tally", key = "#id")
		@Transactional
		public int increment(long id) {
			Tally tally = this.entityManager.find(Tally.class, id);
			tally.setAmount(tally.getAmount() + 1);
			return tally.getAmount();
		}

	}

}
