package dev.fencing.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.JdbcOperations;
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

	/**
	 * PostgreSQL's state for a {@code lock_timeout}, which Spring has no exception for.
	 */
	private static final String LOCK_TIMEOUT = "55P03";

	private final FencedDataSource dataSource;

	private final Supplier<RegistryDialect> dialect;

	private final String table;

	private final Duration timeout;

	private final String updateStatement;

	private final String selectStatement;

	private final String lockStatement;

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
		this.updateStatement = """
				update %s set fencing_token = ?, owner = ?, registered_at = current_timestamp \
				where resource_id = ? and fencing_token < ?""".formatted(table);
		this.selectStatement = "select fencing_token, owner, registered_at from %s where resource_id = ?"
			.formatted(table);
		this.lockStatement = this.selectStatement + " for update";
	}

	@Override
	public Registration register(String resource, long token, String owner) {
		long start = System.nanoTime();
		while (true) {
			Duration left = this.timeout.minusNanos(System.nanoTime() - start);
			try {
				return this.dataSource.onOwnConnection(left, (jdbc) -> tryToRegister(jdbc, resource, token, owner));
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
	private static boolean isContention(DataAccessException failure) {
		return failure instanceof ConcurrencyFailureException || failure instanceof QueryTimeoutException
				|| (failure.getCause() instanceof SQLException cause && LOCK_TIMEOUT.equals(cause.getSQLState()));
	}

	private Registration tryToRegister(JdbcOperations jdbc, String resource, long token, String owner) {
		while (true) {
			if (jdbc.update(this.updateStatement, token, owner, resource, token) > 0) {
				return new Registration.Accepted();
			}
			RegisteredGeneration current = read(jdbc, this.selectStatement, resource);
			if (current == null) {
				createRow(jdbc, resource);
			}
			else if (current.token() == token && current.owner().equals(owner)) {
				return new Registration.Accepted();
			}
			else if (current.token() >= token) {
				return new Registration.Refused(current);
			}
		}
	}

	private void createRow(JdbcOperations jdbc, String resource) {
		try {
			jdbc.update(this.dialect.get().createRow(this.table), resource);
		}
		catch (DuplicateKeyException ex) {
			// Another owner was quicker: the row is there, which is all that is wanted
		}
	}

	@Override
	public @Nullable RegisteredGeneration find(String resource) {
		return this.dataSource.onOwnConnection(this.timeout, (jdbc) -> read(jdbc, this.selectStatement, resource));
	}

	@Override
	public boolean isUnlocked(String resource) {
		try {
			// Committed at once, and the lock given up with it
			return this.dataSource.onOwnConnection(this.timeout, (jdbc) -> lockCurrent(jdbc, resource)) != null;
		}
		catch (DataAccessException ex) {
			return false;
		}
	}

	/**
	 * Read what is registered and keep the row locked to the end of the transaction.
	 * @param jdbc the connection of the transaction
	 * @param resource the resource
	 * @return what is registered, or null
	 */
	@Nullable RegisteredGeneration lockCurrent(JdbcOperations jdbc, String resource) {
		return read(jdbc, this.lockStatement, resource);
	}

	/**
	 * Return whether the database itself refuses writes in the current transaction.
	 */
	boolean isReadOnlyEnforced(JdbcOperations jdbc) {
		String query = this.dialect.get().readOnlyQuery();
		return query != null && "on".equals(jdbc.queryForObject(query, String.class));
	}

	/**
	 * Read from the table, so that a missing one shows.
	 * @throws org.springframework.dao.DataAccessException if the table or a column is
	 * missing, or the database failed
	 */
	public void verify() {
		find("");
	}

	private static @Nullable RegisteredGeneration read(JdbcOperations jdbc, String statement, String resource) {
		return DataAccessUtils.singleResult(jdbc.query(statement, JdbcGenerationRegistry::mapRow, resource));
	}

	private static RegisteredGeneration mapRow(ResultSet row, int number) throws SQLException {
		Timestamp registeredAt = row.getTimestamp(3);
		return new RegisteredGeneration(row.getLong(1), row.getString(2),
				(registeredAt != null) ? registeredAt.toInstant() : null);
	}

}
