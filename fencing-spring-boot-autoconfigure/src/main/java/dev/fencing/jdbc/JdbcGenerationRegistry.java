package dev.fencing.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.util.Assert;

import dev.fencing.LeaseUnavailableException;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.RegisteredGeneration;
import dev.fencing.transaction.Registration;

/**
 * The generation registry in a table of the fenced database.
 *
 * <pre class="code">
 * FENCING_GENERATION
 *   resource_id    varchar(400)  primary key, compared byte by byte
 *   fencing_token  bigint        the greatest token accepted
 *   owner          varchar(64)   the acquisition that it was accepted from
 *   registered_at  timestamp     when
 * </pre>
 *
 * @since 0.1.0
 */
public final class JdbcGenerationRegistry implements GenerationRegistry {

	/**
	 * The name of the table unless another is set.
	 */
	public static final String DEFAULT_TABLE_NAME = "FENCING_GENERATION";

	private final FencedDataSource dataSource;

	private final Supplier<RegistryDialect> dialect;

	private final String table;

	private final Duration timeout;

	private volatile @Nullable RegistryStatements statements;

	/**
	 * Create a registry.
	 * @param dataSource the fenced database; never null
	 * @param dialect tells which kind of database it is; asked for when it is first
	 * needed
	 * @param table the name of the table, possibly with its schema; never null
	 * @param timeout how long a registration may wait for the row of its resource
	 */
	public JdbcGenerationRegistry(FencedDataSource dataSource, Supplier<RegistryDialect> dialect, String table,
			Duration timeout) {
		Assert.isTrue(table.matches("[\\w.\"`$]+"),
				() -> "'%s' is not the name of a table, possibly with its schema".formatted(table));
		Assert.isTrue(timeout.toMillis() > 0,
				() -> "The registration timeout is %s: it must be positive".formatted(timeout));
		this.dataSource = dataSource;
		this.dialect = dialect;
		this.table = table;
		this.timeout = timeout;
	}

	@Override
	public Registration register(String resource, long token, String owner) {
		RegistryStatements sql = statements();
		long start = System.nanoTime();
		while (true) {
			Duration left = this.timeout.minusNanos(System.nanoTime() - start);
			try {
				return this.dataSource.onOwnConnection(left,
						(jdbc) -> tryToRegister(jdbc, sql, resource, token, owner));
			}
			catch (DataAccessException ex) {
				if (!isContention(ex)) {
					throw ex;
				}
				if (this.timeout.minusNanos(System.nanoTime() - start).isNegative()) {
					throw new LeaseUnavailableException("""
							The owner of '%s' could not be registered within %s: its row of %s stayed locked by \
							another transaction""".formatted(resource, this.timeout, this.table), ex);
				}
			}
		}
	}

	/**
	 * Return whether the row is locked, or was changed under a stricter isolation level,
	 * so that it is worth asking again.
	 */
	private boolean isContention(DataAccessException failure) {
		return failure instanceof ConcurrencyFailureException || failure instanceof QueryTimeoutException
				|| (failure.getCause() instanceof SQLException cause && statements().database().isLockTimeout(cause));
	}

	// Each statement is a transaction of its own, and each may be repeated. In a common
	// one, InnoDB would keep the gap locked that the first update looked into, so that
	// two new resources deadlock, and would not see the row of a quicker owner
	private Registration tryToRegister(JdbcOperations jdbc, RegistryStatements sql, String resource, long token,
			String owner) {
		Object key = sql.database().key(resource);
		while (true) {
			if (jdbc.update(sql.update(), token, owner, key, token) > 0) {
				return new Registration.Accepted();
			}
			RegisteredGeneration current = read(jdbc, sql.read(), resource);
			if (current == null) {
				createRow(jdbc, sql, key);
			}
			else if (current.token() == token && current.owner().equals(owner)) {
				return new Registration.Accepted();
			}
			else if (current.token() >= token) {
				return new Registration.Refused(current);
			}
		}
	}

	private static void createRow(JdbcOperations jdbc, RegistryStatements sql, Object key) {
		try {
			jdbc.update(sql.create(), key);
		}
		catch (DuplicateKeyException ex) {
			// Another owner was quicker: the row is there, which is all that is wanted
		}
	}

	@Override
	public @Nullable RegisteredGeneration find(String resource) {
		RegistryStatements sql = statements();
		return this.dataSource.onOwnConnection(this.timeout, (jdbc) -> read(jdbc, sql.read(), resource));
	}

	@Override
	public boolean isUnlocked(String resource) {
		statements();
		try {
			// Committed at once, and the lock given up with it
			return this.dataSource.onOwnConnection(this.timeout, (jdbc) -> lockCurrent(jdbc, resource)) != null;
		}
		catch (DataAccessException ex) {
			if (!isContention(ex)) {
				throw ex;
			}
			return false;
		}
	}

	/**
	 * Read what is registered and keep the row locked to the end of the transaction.
	 * Since when is not asked for: making a time of it would be most of the work.
	 * @param jdbc the connection of the transaction
	 * @param resource the resource
	 * @return what is registered, or null
	 */
	@Nullable RegisteredGeneration lockCurrent(JdbcOperations jdbc, String resource) {
		return read(jdbc, statements().lock(), resource,
				(row, number) -> new RegisteredGeneration(row.getLong(1), row.getString(2), null));
	}

	/**
	 * Return whether the database itself refuses writes in the current transaction.
	 */
	boolean isReadOnlyEnforced(JdbcOperations jdbc) {
		String query = statements().database().readOnlyQuery();
		return query != null && "on".equals(jdbc.queryForObject(query, String.class));
	}

	/**
	 * Return whether a statement was refused since nothing can be written in its
	 * transaction, which goes on all the same.
	 */
	boolean isReadOnlyRefusal(DataAccessException failure) {
		return failure.getCause() instanceof SQLException cause && statements().database().isReadOnlyRefusal(cause);
	}

	/**
	 * Read from the table, so that a missing one shows.
	 * @throws org.springframework.dao.DataAccessException if the table or a column is
	 * missing, or the database failed
	 */
	public void verify() {
		find("");
	}

	private @Nullable RegisteredGeneration read(JdbcOperations jdbc, String statement, String resource) {
		RegistrySql database = statements().database();
		return read(jdbc, statement, resource,
				(row, number) -> new RegisteredGeneration(row.getLong(1), row.getString(2), database.readTime(row, 3)));
	}

	private @Nullable RegisteredGeneration read(JdbcOperations jdbc, String statement, String resource,
			RowMapper<RegisteredGeneration> mapper) {
		return DataAccessUtils.singleResult(jdbc.query(statement, mapper, statements().database().key(resource)));
	}

	/**
	 * Return the statements. Asking for the dialect may take a connection, so that the
	 * first call must come before one is held.
	 */
	private RegistryStatements statements() {
		RegistryStatements known = this.statements;
		if (known == null) {
			known = RegistryStatements.on(this.table, RegistrySql.of(this.dialect.get()));
			this.statements = known;
		}
		return known;
	}

}
