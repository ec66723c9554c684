package dev.fencing.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What differs between databases in the statements of the generation registry. This class
 * itself says what most of them understand.
 */
class RegistrySql {

	static RegistrySql of(RegistryDialect dialect) {
		return switch (dialect) {
			case POSTGRESQL -> new OfPostgresql();
			case MYSQL, MARIADB -> new OfMysql();
			case SQLSERVER -> new OfSqlServer();
			case H2, ORACLE -> new RegistrySql();
		};
	}

	/**
	 * Return the expression for the time of registration.
	 */
	String now() {
		return "current_timestamp";
	}

	/**
	 * Read a time of registration.
	 */
	@Nullable Instant readTime(ResultSet row, int column) throws SQLException {
		Timestamp time = row.getTimestamp(column);
		return (time != null) ? time.toInstant() : null;
	}

	/**
	 * Return what a resource is bound as.
	 */
	Object key(String resource) {
		return resource;
	}

	/**
	 * Return what an insert ends with so that it leaves a row that is there as it is.
	 * Empty where a duplicate key fails the statement and nothing else.
	 */
	String ignoringDuplicates() {
		return "";
	}

	/**
	 * Return a query that keeps the rows that it returns locked to the end of the
	 * transaction.
	 * @param select what is selected, up to the name of the table
	 * @param table the name of the table
	 * @param condition which rows
	 */
	String lockingRead(String select, String table, String condition) {
		return select + table + condition + " for update";
	}

	/**
	 * Return whether a statement gave up waiting for a lock, as far as Spring does not
	 * know that.
	 */
	boolean isLockTimeout(SQLException failure) {
		return false;
	}

	/**
	 * Return whether a statement was refused since its transaction was begun as a
	 * read-only one, and the transaction goes on all the same.
	 */
	boolean isReadOnlyRefusal(SQLException failure) {
		return false;
	}

	/**
	 * Return the query that says "on" where the database itself refuses writes in a
	 * read-only transaction. Null where it lets them through, or does not say.
	 */
	@Nullable String readOnlyQuery() {
		return null;
	}

	/**
	 * A duplicate key would abort the transaction.
	 */
	static final class OfPostgresql extends RegistrySql {

		@Override
		String ignoringDuplicates() {
			return " on conflict do nothing";
		}

		@Override
		boolean isLockTimeout(SQLException failure) {
			return "55P03".equals(failure.getSQLState());
		}

		@Override
		String readOnlyQuery() {
			return "select current_setting('transaction_read_only')";
		}

	}

	/**
	 * MySQL and MariaDB. Their types have no time zone, and a driver does not know that
	 * of the session: the time is in UTC and no driver converts it.
	 */
	static final class OfMysql extends RegistrySql {

		/**
		 * Those of {@code innodb_lock_wait_timeout}, MariaDB's {@code max_statement_time}
		 * and MySQL's {@code max_execution_time}.
		 */
		private static final Set<Integer> TIMEOUTS = Set.of(1205, 1969, 3024);

		private static final int READ_ONLY_TRANSACTION = 1792;

		@Override
		String now() {
			return "utc_timestamp(6)";
		}

		@Override
		@Nullable Instant readTime(ResultSet row, int column) throws SQLException {
			LocalDateTime time = row.getObject(column, LocalDateTime.class);
			return (time != null) ? time.toInstant(ZoneOffset.UTC) : null;
		}

		// Not "insert ignore", which hides other mistakes too
		@Override
		String ignoringDuplicates() {
			return " on duplicate key update resource_id = resource_id";
		}

		@Override
		boolean isLockTimeout(SQLException failure) {
			return TIMEOUTS.contains(failure.getErrorCode());
		}

		// Whether a transaction is read-only is no setting that could be asked for: it
		// may have been said for this one only
		@Override
		boolean isReadOnlyRefusal(SQLException failure) {
			return failure.getErrorCode() == READ_ONLY_TRANSACTION;
		}

	}

	/**
	 * Ignores trailing blanks of text in every collation, so that ids are bytes. Holding
	 * the lock on the key makes the read one of the current row also under snapshot
	 * isolation.
	 */
	static final class OfSqlServer extends RegistrySql {

		private static final int LOCK_TIMEOUT = 1222;

		@Override
		String now() {
			return "sysdatetimeoffset()";
		}

		@Override
		Object key(String resource) {
			return resource.getBytes(StandardCharsets.UTF_8);
		}

		@Override
		String lockingRead(String select, String table, String condition) {
			return select + table + " with (updlock, holdlock, rowlock)" + condition;
		}

		@Override
		boolean isLockTimeout(SQLException failure) {
			return failure.getErrorCode() == LOCK_TIMEOUT;
		}

	}

}
