package dev.fencing.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

/**
 * A table of parcels, and owners with any generation who write to it.
 */
class ParcelFixture implements AutoCloseable {

	static final LockRequest DEPOT = LockRequest.of("depot").key(1);

	private final GrantingLeaseProvider provider = new GrantingLeaseProvider();

	private final FencedStack stack;

	private final TestDatabase database;

	private final boolean registration;

	ParcelFixture(TestDatabase database, boolean registration) {
		this.stack = FencedStack.on(database, this.provider, registration);
		this.database = database;
		this.registration = registration;
		reset();
	}

	/**
	 * Make everything as it was, without another database.
	 */
	final void reset() {
		this.stack.pool().setMaximumPoolSize(10);
		forget();
		String quote = (this.database == TestDatabase.MARIADB) ? "`" : "\"";
		for (String table : List.of("parcel", "pair", quote + "Quoted" + quote, "keyless", "twice", "plain")) {
			jdbc().execute("drop table if exists " + table);
		}
		jdbc().execute("drop schema if exists s1" + ((this.database == TestDatabase.MARIADB) ? "" : " cascade"));
		jdbc().execute("""
				create table parcel (id int primary key, state varchar(40), depot int, prio int,
				fencing_token bigint default 0 not null)""");
		for (int id = 1; id <= 3; id++) {
			jdbc().update("insert into parcel (id, state, depot, prio) values (?, 'NEW', 5, ?)", id, id * 10);
		}
	}

	/**
	 * Forget all owners and what was refused to them.
	 */
	final void forget() {
		this.stack.rejections().clear();
		this.provider.raise("", 0);
		jdbc().execute("delete from " + JdbcGenerationRegistry.DEFAULT_TABLE_NAME);
	}

	FencedJdbcTemplate fencedJdbc() {
		return fencedJdbc(this.stack.pool());
	}

	FencedJdbcTemplate fencedJdbc(DataSource dataSource) {
		FencedDataSource fenced = new FencedDataSource(dataSource);
		JdbcGenerationRegistry registry = this.registration ? this.stack.registry() : null;
		return new FencedJdbcTemplate(fenced, new FencedConnections(fenced, registry), registry, "fencing_token");
	}

	JdbcTemplate jdbc() {
		return this.stack.jdbc();
	}

	FencedStack stack() {
		return this.stack;
	}

	GrantingLeaseProvider provider() {
		return this.provider;
	}

	List<Rejection> rejections() {
		return this.stack.rejections();
	}

	/**
	 * Run code on this thread under a lease of the depot.
	 */
	void under(long generation, Runnable code) {
		under(generation, DEPOT, code);
	}

	void under(long generation, LockRequest request, Runnable code) {
		this.provider.next(generation);
		this.stack.locks().execute(request, (context) -> {
			code.run();
			return Boolean.TRUE;
		});
	}

	/**
	 * Run code on another thread under a lease of the depot, and wait for its end.
	 */
	void elsewhere(long generation, Runnable code) {
		CompletableFuture.runAsync(() -> under(generation, code)).orTimeout(20, TimeUnit.SECONDS).join();
	}

	void inTransaction(Runnable code) {
		this.stack.transaction().executeWithoutResult((status) -> code.run());
	}

	@Nullable String state(int id) {
		return jdbc().queryForObject("select state from parcel where id = ?", String.class, id);
	}

	/**
	 * Return the generation that the row is stamped with.
	 */
	long stamp(int id) {
		Long token = jdbc().queryForObject("select fencing_token from parcel where id = ?", Long.class, id);
		return (token != null) ? token / 1_000_000 : -1;
	}

	@Override
	public void close() {
		this.stack.close();
	}

}
