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

	private final DurablePostgres database = new DurablePostgres();

	private final Accounts accounts = new Accounts(this.database.jdbc());

	private final Protection protection;

	AbstractArena(Protection protection) {
		QuietLogs.set();
		this.protection = protection;
		closeLater(this.database::close);
		DataSource dataSource = this.database.jdbc().getDataSource();
		new ResourceDatabasePopulator(new ClassPathResource("dev/fencing/jdbc/schema-postgresql.sql"))
			.execute(dataSource);
		this.accounts.createTables();
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

	@Override
	public final void close() {
		while (!this.closers.isEmpty()) {
			this.closers.pop().run();
		}
	}

}
