package dev.fencing.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Set;

/**
 * What differs between databases in the statements on the table of rejections. This class
 * itself says what most of them understand.
 */
class RejectionSql {

	/**
	 * SQL states of a database that takes no writes from anybody, as far as Spring does
	 * not know them: 25 for a read-only one, 55 for one that is not ready.
	 */
	private static final Set<String> NOT_WRITABLE = Set.of("25", "55");

	static RejectionSql of(RegistryDialect dialect) {
		return switch (dialect) {
			case MYSQL, MARIADB -> new OfMysql();
			case SQLSERVER -> new OfSqlServer();
			case ORACLE -> new OfOracle();
			case H2, POSTGRESQL -> new RejectionSql();
		};
	}

	/**
	 * Return what a time is bound as. An offset makes it the same instant in every
	 * session.
	 */
	Object time(Instant time) {
		return time.atOffset(ZoneOffset.UTC);
	}

	/**
	 * Read a time.
	 */
	Instant readTime(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	/**
	 * Return what a query ends with so that it returns as many rows as its last parameter
	 * says. Not only the driver knows it then, but the planner too.
	 */
	String limit() {
		return " limit ?";
	}

	/**
	 * Return whether the database takes no writes, whatever they are.
	 */
	boolean isNotWritable(SQLException failure) {
		String state = failure.getSQLState();
		return state != null && state.length() == 5 && NOT_WRITABLE.contains(state.substring(0, 2));
	}

	/**
	 * MySQL and MariaDB. Their types have no time zone: the time is in UTC and no driver
	 * converts it.
	 */
	static final class OfMysql extends RejectionSql {

		/**
		 * A full disk (1021, 1114), a server that was made read-only (1290, 1836), and
		 * limits on what a user may do in an hour (1226).
		 */
		private static final Set<Integer> NOT_WRITABLE = Set.of(1021, 1114, 1226, 1290, 1836);

		@Override
		Object time(Instant time) {
			return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
		}

		@Override
		Instant readTime(ResultSet row, String column) throws SQLException {
			return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
		}

		@Override
		boolean isNotWritable(SQLException failure) {
			return super.isNotWritable(failure) || NOT_WRITABLE.contains(failure.getErrorCode());
		}

	}

	static final class OfSqlServer extends RejectionSql {

		@Override
		String limit() {
			return " offset 0 rows fetch next ? rows only";
		}

	}

	static final class OfOracle extends RejectionSql {

		@Override
		String limit() {
			return " fetch first ? rows only";
		}

	}

}
