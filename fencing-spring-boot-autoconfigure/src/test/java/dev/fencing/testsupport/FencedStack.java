package dev.fencing.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.jdbc.FencedConnections;
import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.JdbcGenerationRegistry;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.FencedTransactionListener;
import dev.fencing.transaction.LeasedLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parts of the library on a real database, put together by hand: leases from any
 * provider, with or without registration.
 */
public final class FencedStack implements AutoCloseable {

	private final TestDatabase database;

	private final HikariDataSource pool;

	private final FencedDataSource fenced;

	private final JdbcGenerationRegistry registry;

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), null, null);

	private final LeaseProvider provider;

	private final boolean registration;

	private final LeaseRenewer renewer;

	private final LeasedLockTemplate locks;

	private final JdbcTransactionManager transactionManager;

	private final List<Rejection> rejections = new CopyOnWriteArrayList<>();

	private final FencedConnections connections;

	private FencedStack(HikariDataSource pool, DataSource fenced, TestDatabase database, LeaseProvider provider,
			boolean registration) {
		this.database = database;
		this.pool = pool;
		this.fenced = new FencedDataSource(fenced);
		this.registry = registry(this.fenced, database);
		new ResourceDatabasePopulator(
				new ClassPathResource("dev/fencing/jdbc/schema-" + database.dialect().platform() + ".sql"))
			.execute(pool);
		this.provider = provider;
		this.registration = registration;
		this.renewer = new LeaseRenewer(provider, this.settings);
		this.locks = locks(ActiveTransaction.REJECT);
		this.connections = new FencedConnections(this.fenced, registration ? this.registry : null);
		this.transactionManager = guard(new JdbcTransactionManager(pool));
	}

	private static JdbcGenerationRegistry registry(FencedDataSource dataSource, TestDatabase database) {
		return new JdbcGenerationRegistry(dataSource, database::dialect, JdbcGenerationRegistry.DEFAULT_TABLE_NAME,
				Duration.ofSeconds(5));
	}

	/**
	 * Set up the parts on a database of their own.
	 * @param database which kind
	 * @param provider gives out the leases
	 * @param registration whether owners are registered and checked
	 * @return the parts, to be closed by the caller
	 */
	public static FencedStack on(TestDatabase database, LeaseProvider provider, boolean registration) {
		return on(database.pool(), database, provider, registration);
	}

	/**
	 * Set up the parts on a pool.
	 * @param pool the pool, closed with the parts
	 * @param database which kind it leads to
	 * @param provider gives out the leases
	 * @param registration whether owners are registered and checked
	 * @return the parts, to be closed by the caller
	 */
	public static FencedStack on(HikariDataSource pool, TestDatabase database, LeaseProvider provider,
			boolean registration) {
		return new FencedStack(pool, pool, database, provider, registration);
	}

	/**
	 * Set up the parts on a pool whose fenced data source is a wrapper.
	 * @param pool the pool, closed with the parts
	 * @param database which kind it leads to
	 * @param wrapper wraps the pool
	 * @param provider gives out the leases
	 * @return the parts, to be closed by the caller
	 */
	public static FencedStack on(HikariDataSource pool, TestDatabase database, UnaryOperator<DataSource> wrapper,
			LeaseProvider provider) {
		return new FencedStack(pool, wrapper.apply(pool), database, provider, true);
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

	/**
	 * Guard the transactions of a manager.
	 * @param manager the manager
	 * @return the manager
	 */
	public <M extends AbstractPlatformTransactionManager> M guard(M manager) {
		FencedTransactionListener.addTo(manager, () -> this.connections);
		return manager;
	}

	/**
	 * Register a later owner, over a connection that is not the pool's: the former one is
	 * stale from now on.
	 * @param former the owner up to now
	 */
	public void takeOver(FencingContext former) {
		takeOver(former, former.resource());
	}

	/**
	 * Register a later owner of one of the resources of an owner.
	 * @param former the owner up to now
	 * @param resource the resource
	 */
	public void takeOver(FencingContext former, String resource) {
		DataSource own = new DriverManagerDataSource(this.pool.getJdbcUrl(), this.pool.getUsername(),
				this.pool.getPassword());
		registry(new FencedDataSource(own), this.database).register(resource,
				FencingTokens.of(former.generation() + 1, 0), "successor");
	}

	public LeasedLockTemplate locks() {
		return this.locks;
	}

	/**
	 * Create another template, which shares everything else.
	 * @param activeTransaction what it does inside an open transaction
	 * @return the template
	 */
	public LeasedLockTemplate locks(ActiveTransaction activeTransaction) {
		return locks(activeTransaction, (context) -> {
		});
	}

	/**
	 * Create another template, which shares everything else.
	 * @param activeTransaction what it does inside an open transaction
	 * @param whenEnded told of each lease that has ended
	 * @return the template
	 */
	public LeasedLockTemplate locks(ActiveTransaction activeTransaction, Consumer<FencingContext> whenEnded) {
		return locks(activeTransaction, new FencingListener() {
			@Override
			public void rejected(Rejection rejection) {
				FencedStack.this.rejections.add(rejection);
			}

			@Override
			public void leaseEnded(FencingContext context, Duration held) {
				whenEnded.accept(context);
			}
		});
	}

	/**
	 * Create another template, which shares everything else.
	 * @param listener told of everything
	 * @return the template
	 */
	public LeasedLockTemplate locks(FencingListener listener) {
		return locks(ActiveTransaction.REJECT, listener);
	}

	private LeasedLockTemplate locks(ActiveTransaction activeTransaction, FencingListener listener) {
		return new LeasedLockTemplate(this.provider,
				new LeaseAcquirer(this.provider, this.renewer, this.settings, new HeldLeases()),
				this.registration ? this.registry : null, activeTransaction, List.of(), listener,
				this.settings.waitTime(), "test");
	}

	public JdbcGenerationRegistry registry() {
		return this.registry;
	}

	public FencedConnections connections() {
		return this.connections;
	}

	public FencedDataSource fenced() {
		return this.fenced;
	}

	public List<Rejection> rejections() {
		return this.rejections;
	}

	/**
	 * Assert that nobody holds a lease on a resource, nor a connection of the pool.
	 * @param resource the resource
	 */
	public void assertUnused(String resource) {
		assertThat(this.provider.find(resource)).isNull();
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	/**
	 * Return the number in the only row of table {@code counter}.
	 */
	public int counter() {
		Integer value = jdbc().queryForObject("select amount from counter", Integer.class);
		return (value != null) ? value : -1;
	}

	/**
	 * Add one to that number, in a transaction.
	 */
	public void increment() {
		transaction().executeWithoutResult((transaction) -> jdbc().update("update counter set amount = amount + 1"));
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
