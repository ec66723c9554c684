package dev.fencing.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingListener;
import dev.fencing.Rejection;
import dev.fencing.jdbc.FencedConnections;
import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.JdbcGenerationRegistry;
import dev.fencing.jdbc.RegistryDialect;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.transaction.FencedTransactionListener;
import dev.fencing.transaction.LeasedLockTemplate;

/**
 * The parts of the library on a real database, put together by hand: leases from any
 * provider, with or without registration.
 */
public final class FencedStack implements AutoCloseable {

	private final HikariDataSource pool;

	private final FencedDataSource fenced;

	private final JdbcGenerationRegistry registry;

	private final LeaseRenewer renewer;

	private final LeasedLockTemplate locks;

	private final JdbcTransactionManager transactionManager;

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private FencedStack(HikariDataSource pool, RegistryDialect dialect, LeaseProvider provider, boolean registration) {
		this.pool = pool;
		this.fenced = new FencedDataSource(pool);
		this.registry = new JdbcGenerationRegistry(this.fenced, () -> dialect,
				JdbcGenerationRegistry.DEFAULT_TABLE_NAME, Duration.ofSeconds(5));
		new ResourceDatabasePopulator(new ClassPathResource("dev/fencing/jdbc/schema-" + dialect.platform() + ".sql"))
			.execute(pool);
		LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), null, null);
		this.renewer = new LeaseRenewer(provider, settings);
		this.locks = new LeasedLockTemplate(provider, new LeaseAcquirer(provider, settings, new HeldLeases()),
				this.renewer, registration ? this.registry : null, List.of(), new FencingListener() {
					@Override
					public void rejected(Rejection rejection) {
						FencedStack.this.rejections.add(rejection);
					}
				}, settings.waitTime(), "test");
		this.transactionManager = new JdbcTransactionManager(pool);
		this.transactionManager.addListener(new FencedTransactionListener(this.transactionManager,
				() -> new FencedConnections(this.fenced, registration ? this.registry : null)));
	}

	/**
	 * Set up the parts on a database of their own.
	 * @param database which kind
	 * @param provider gives out the leases
	 * @param registration whether owners are registered and checked
	 * @return the parts, to be closed by the caller
	 */
	public static FencedStack on(RegistryDialect database, LeaseProvider provider, boolean registration) {
		return new FencedStack(pool(database), database, provider, registration);
	}

	private static HikariDataSource pool(RegistryDialect database) {
		if (database == RegistryDialect.POSTGRESQL) {
			return PostgresTestServer.pool(PostgresTestServer.createDatabase(), 10);
		}
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		return pool;
	}

	public HikariDataSource pool() {
		return this.pool;
	}

	public JdbcTemplate jdbc() {
		return new JdbcTemplate(this.pool);
	}

	public TransactionTemplate transaction() {
		return new TransactionTemplate(this.transactionManager);
	}

	public JdbcTransactionManager transactionManager() {
		return this.transactionManager;
	}

	public LeasedLockTemplate locks() {
		return this.locks;
	}

	public JdbcGenerationRegistry registry() {
		return this.registry;
	}

	public FencedDataSource fenced() {
		return this.fenced;
	}

	public List<Rejection> rejections() {
		return this.rejections;
	}

	/**
	 * Return the number in the only row of table {@code counter}.
	 */
	public int counter() {
		Integer value = jdbc().queryForObject("select amount from counter", Integer.class);
		return (value != null) ? value : -1;
	}

	/**
	 * Create table {@code counter} with one row.
	 * @return this
	 */
	public FencedStack withCounter() {
		jdbc().execute("create table counter (amount int not null, fencing_token bigint not null default 0)");
		jdbc().execute("insert into counter (amount) values (0)");
		return this;
	}

	@Override
	public void close() {
		this.renewer.close();
		this.pool.close();
	}

}
