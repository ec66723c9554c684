package dev.fencing.torture;

import java.util.ArrayDeque;
import java.util.Deque;

import javax.sql.DataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * An arena with a real database, on which workers wait for each other.
 */
abstract class AbstractArena implements Arena {

	static final String COUNTER = "{fencing}:counter";

	private final Deque<Runnable> closers = new ArrayDeque<>();

	private final Progress progress = new Progress();

	private final DurablePostgres database;

	private final Accounts accounts;

	private final Protection protection;

	AbstractArena(Protection protection) {
		QuietLogs.set();
		closeLater(QuietLogs::unset);
		this.protection = protection;
		try {
			this.database = new DurablePostgres();
			closeLater(this.database::close);
			this.accounts = new Accounts(this.database.jdbc());
			DataSource dataSource = this.database.jdbc().getDataSource();
			new ResourceDatabasePopulator(new ClassPathResource("dev/fencing/jdbc/schema-postgresql.sql"))
				.execute(dataSource);
			this.accounts.createTables();
		}
		catch (RuntimeException | Error ex) {
			throw closedAfter(ex);
		}
	}

	/**
	 * Have something closed in the end, before what was there earlier.
	 */
	final void closeLater(Runnable closer) {
		this.closers.push(closer);
	}

	final Progress progress() {
		return this.progress;
	}

	final DurablePostgres database() {
		return this.database;
	}

	final Protection protection() {
		return this.protection;
	}

	/**
	 * Return the key of the lease on an account.
	 */
	static String leaseKey(int account) {
		return "{fencing}:lease:" + Operation.resource(account);
	}

	@Override
	public final Accounts accounts() {
		return this.accounts;
	}

	@Override
	public final boolean isFenced() {
		return this.protection == Protection.FENCED;
	}

	final long running() {
		return workers().stream().filter((worker) -> worker.state() == Worker.State.RUNNING).count();
	}

	@Override
	public final void await() {
		this.progress.awaitChange(this.progress.version(), 10);
	}

	/**
	 * Close what is there when something else could not be set up.
	 * @param failure what has failed
	 * @return the exception, to be thrown by the caller
	 */
	final RuntimeException closedAfter(Throwable failure) {
		try {
			close();
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
		return new IllegalStateException("The arena could not be set up", failure);
	}

	@Override
	public final void close() {
		RuntimeException failure = null;
		while (!this.closers.isEmpty()) {
			try {
				this.closers.pop().run();
			}
			catch (RuntimeException | AssertionError ex) {
				if (failure == null) {
					failure = new IllegalStateException("Something could not be closed");
				}
				failure.addSuppressed(ex);
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
