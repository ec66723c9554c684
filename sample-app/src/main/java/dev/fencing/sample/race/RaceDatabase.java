package dev.fencing.sample.race;

import java.time.Duration;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.sample.document.Document;
import dev.fencing.sample.document.DocumentService;

/**
 * What both kinds of races ask of the database.
 */
@Component
class RaceDatabase {

	/**
	 * Above all that a worker waits for inside its transaction.
	 */
	private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(2);

	private final DocumentService documents;

	private final JdbcClient jdbc;

	private final TransactionTemplate transactions;

	RaceDatabase(DocumentService documents, JdbcClient jdbc, PlatformTransactionManager transactionManager) {
		this.documents = documents;
		this.jdbc = jdbc;
		this.transactions = new TransactionTemplate(transactionManager);
		this.transactions.setTimeout((int) TRANSACTION_TIMEOUT.toSeconds());
	}

	Document create(String title) {
		return this.documents.create(title);
	}

	Document get(long id) {
		return this.documents.get(id);
	}

	void inTransaction(Runnable work) {
		this.transactions.executeWithoutResult((status) -> work.run());
	}

	/**
	 * Return the number of the server process that works for the current transaction.
	 */
	int currentProcess() {
		return this.jdbc.sql("select pg_backend_pid()").query(Integer.class).single();
	}

	/**
	 * Return whether that server process waits for a lock that another one holds.
	 */
	boolean isBlocked(int process) {
		return this.jdbc.sql("select cardinality(pg_blocking_pids(?)) > 0")
			.param(process)
			.query(Boolean.class)
			.single();
	}

}
