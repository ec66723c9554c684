package dev.fencing.autoconfigure;

import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLock;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with two databases and a transaction manager for each: transactions on
 * the marked one are guarded, those on the other one run under a lease as well, and
 * nothing is promised for them.
 */
class SeveralTransactionManagersTests {

	private final ConfigurableApplicationContext context = Startup.start(Application.class, Startup.WORKING);

	private final Work work = this.context.getBean(Work.class);

	private final RejectionLog rejections = this.context.getBean(RejectionLog.class);

	private final LeaseProvider provider = this.context.getBean(LeaseProvider.class);

	@AfterEach
	void close() {
		assertThat(this.provider.find("work")).isNull();
		this.context.close();
	}

	@Test
	void transactionOnTheMarkedDatabaseIsGuarded() {
		this.work.onDocuments(false);
		assertRows(1, 0);
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.work.onDocuments(true));
		assertRows(1, 0);
		assertThat(this.rejections.total()).isOne();
	}

	@Test
	void transactionOnTheOtherDatabaseRuns() {
		this.work.onArchive(false);
		this.work.onArchive(true);
		assertRows(0, 2);
		assertThat(this.rejections.total()).isZero();
	}

	@Test
	void guardCoversTheMarkedDatabaseOnlyWhereBothAreWritten() {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.work.onBoth(true));
		assertRows(0, 1);
		this.work.onBoth(false);
		assertRows(1, 2);
	}

	@Test
	void helperInATransactionOnTheOtherDatabaseIsRefused() {
		assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(this.work::onArchiveThroughTheHelper)
			.withMessageContaining("not on the fenced database");
		assertRows(0, 0);
	}

	@Test
	void leaseInsideATransactionOnTheOtherDatabaseIsRefused() {
		assertRefusedInsideArchive(this.context);
	}

	@Test
	void leaseInsideATransactionOnTheOtherDatabaseIsRefusedAlsoWhereLeasesJoin() {
		try (ConfigurableApplicationContext joining = Startup.start(Application.class, Startup.WORKING[0],
				Startup.WORKING[1], "--fencing.lock.active-transaction=join")) {
			assertRefusedInsideArchive(joining);
			Work joined = joining.getBean(Work.class);
			transaction(joining, "documentTransactions").executeWithoutResult((status) -> {
				joined.onDocuments(false);
				joined.onArchive(false);
				status.setRollbackOnly();
			});
			assertRows(joining, 0, 1);
		}
	}

	private static void assertRefusedInsideArchive(ApplicationContext context) {
		transaction(context, "archiveTransactions")
			.executeWithoutResult((status) -> assertThatExceptionOfType(LockInsideTransactionException.class)
				.isThrownBy(() -> context.getBean(Work.class).onDocuments(false)));
	}

	private static TransactionTemplate transaction(ApplicationContext context, String manager) {
		return new TransactionTemplate(context.getBean(manager, PlatformTransactionManager.class));
	}

	private void assertRows(int documents, int archive) {
		assertRows(this.context, documents, archive);
	}

	private static void assertRows(ApplicationContext context, int documents, int archive) {
		assertThat(rows(context, "documents")).isEqualTo(documents);
		assertThat(rows(context, "archive")).isEqualTo(archive);
	}

	private static Integer rows(ApplicationContext context, String dataSource) {
		return new JdbcTemplate(context.getBean(dataSource, DataSource.class))
			.queryForObject("select count(*) from entry", Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	@Import(Work.class)
	static class Application extends Startup.WithoutRedis {

		@Bean
		@FencingDataSource
		DataSource documents() {
			return database();
		}

		@Bean
		@Primary
		DataSource archive() {
			return database();
		}

		@Bean
		PlatformTransactionManager documentTransactions(@FencingDataSource DataSource documents) {
			return new JdbcTransactionManager(documents);
		}

		@Bean
		@Primary
		PlatformTransactionManager archiveTransactions(DataSource archive) {
			return new JdbcTransactionManager(archive);
		}

		private static DataSource database() {
			DataSource database = new DriverManagerDataSource(
					"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			new JdbcTemplate(database)
				.execute("create table entry (text varchar(40), fencing_token bigint default 0 not null)");
			return database;
		}

	}

	static class Work {

		private final PlatformTransactionManager documentTransactions;

		private final PlatformTransactionManager archiveTransactions;

		private final DataSource documents;

		private final DataSource archive;

		private final FencedJdbcTemplate fencedJdbc;

		private final GenerationRegistry registry;

		Work(@Qualifier("documentTransactions") PlatformTransactionManager documentTransactions,
				PlatformTransactionManager archiveTransactions, @FencingDataSource DataSource documents,
				DataSource archive, FencedJdbcTemplate fencedJdbc, GenerationRegistry registry) {
			this.documentTransactions = documentTransactions;
			this.archiveTransactions = archiveTransactions;
			this.documents = documents;
			this.archive = archive;
			this.fencedJdbc = fencedJdbc;
			this.registry = registry;
		}

		@FencedLock("work")
		@Transactional("documentTransactions")
		public void onDocuments(boolean stale) {
			write(this.documents, stale);
		}

		@FencedLock("work")
		@Transactional
		public void onArchive(boolean stale) {
			write(this.archive, stale);
		}

		@FencedLock("work")
		public void onBoth(boolean stale) {
			new TransactionTemplate(this.documentTransactions).executeWithoutResult((outer) -> {
				write(this.documents, stale);
				new TransactionTemplate(this.archiveTransactions)
					.executeWithoutResult((inner) -> write(this.archive, false));
			});
		}

		@FencedLock("work")
		@Transactional
		public void onArchiveThroughTheHelper() {
			this.fencedJdbc.update("insert into entry (text) values (?)", "helper");
		}

		private void write(DataSource database, boolean stale) {
			new JdbcTemplate(database).update("insert into entry (text) values ('plain')");
			if (stale) {
				long next = FencingTokens.of(FencingContext.require().generation() + 1, 0);
				this.registry.register("work", next, "successor");
			}
		}

	}

}
