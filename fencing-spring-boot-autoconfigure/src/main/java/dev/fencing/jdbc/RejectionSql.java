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
			case H2 -> new OfH2();
			case POSTGRESQL -> new RejectionSql();
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
	 * Return whether the database takes no writes now, whatever they are, as far as
	 * Spring does not know it.
	 */
	boolean isNotWritable(SQLException failure) {
		String state = failure.getSQLState();
		return (state != null && state.length() == 5 && NOT_WRITABLE.contains(state.substring(0, 2)))
				|| notWritableCodes().contains(failure.getErrorCode());
	}

	/**
	 * Return the error codes for the same, where its SQL states do not tell.
	 */
	Set<Integer> notWritableCodes() {
		return Set.of();
	}

	/**
	 * MySQL and MariaDB. Their types have no time zone: the time is in UTC and no driver
	 * converts it.
	 */
	static final class OfMysql extends RejectionSql {

		/**
		 * A full disk (1021, 1026, 1030, 1114), no memory (1037, 1038, 1041), a server
		 * that was made read-only (1290, 1836), limits on what a user may do (1203,
		 * 1226), and timeouts (1205, 1969).
		 */
		private static final Set<Integer> NOT_WRITABLE = Set.of(1021, 1026, 1030, 1037, 1038, 1041, 1114, 1203, 1205,
				1226, 1290, 1836, 1969);

		@Override
		Object time(Instant time) {
			return LocalDateTime.ofInstant(time, ZoneOffset.UTC);
		}

		@Override
		Instant readTime(ResultSet row, String column) throws SQLException {
			return row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC);
		}

		@Override
		Set<Integer> notWritableCodes() {
			return NOT_WRITABLE;
		}

	}

	static final class OfH2 extends RejectionSql {

		/**
		 * Failures of its file (90028, 90031), no memory (90108), and read-only (90097).
		 */
		private static final Set<Integer> NOT_WRITABLE = Set.of(90028, 90031, 90097, 90108);

		@Override
		Set<Integer> notWritableCodes() {
			return NOT_WRITABLE;
		}

	}

	static final class OfSqlServer extends RejectionSql {

		/**
		 * No room for data (1101, 1105) or the log (9002), no memory (701, 802), no lock
		 * in time (1222), and a read-only database (3906).
		 */
		private static final Set<Integer> NOT_WRITABLE = Set.of(701, 802, 1101, 1105, 1222, 3906, 9002);

		@Override
		Set<Integer> notWritableCodes() {
			return NOT_WRITABLE;
		}

		@Override
		String limit() {
			return " offset 0 rows fetch next ? rows only";
		}

	}

	static final class OfOracle extends RejectionSql {

		/**
		 * No room: a quota (1536), a table (1653), an index (1654), their partitions
		 * (1683, 1688), undo (30036), an archive (257); no lock in time (54, 30006), no
		 * memory (4031), and read-only (1552, 16000).
		 */
		private static final Set<Integer> NOT_WRITABLE = Set.of(54, 257, 1536, 1552, 1653, 1654, 1683, 1688, 4031,
				16000, 30006, 30036);

		@Override
		Set<Integer> notWritableCodes() {
			return NOT_WRITABLE;
		}

		@Override
		String limit() {
			return " fetch first ? rows only";
		}

	}

}
