package dev.fencing.jdbc;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;

import dev.fencing.rejection.RejectionEntry;
import dev.fencing.rejection.RejectionSink;
import dev.fencing.rejection.RejectionSinkUnavailableException;

/**
 * Stores rejections in a table of the fenced database, on connections of its own: a
 * rejection is stored whatever becomes of the transaction that was refused.
 *
 * @since 0.1.0
 */
public final class JdbcRejectionSink implements RejectionSink {

	private final RejectionTable table;

	/**
	 * Create a sink.
	 * @param table where rejections are stored; never null
	 */
	public JdbcRejectionSink(RejectionTable table) {
		this.table = table;
	}

	@Override
	public void write(List<RejectionEntry> entries) {
		try {
			if (entries.size() == 1) {
				writeOne(entries.get(0));
			}
			else {
				writeAll(entries);
			}
		}
		catch (DataAccessException ex) {
			if (isNoFaultOfTheRows(ex)) {
				throw new RejectionSinkUnavailableException(
						"The table of rejections cannot be written to: " + ex.getMostSpecificCause().getMessage(), ex);
			}
			throw ex;
		}
	}

	private void writeAll(List<RejectionEntry> entries) {
		this.table.run((jdbc, sql) -> jdbc.batchUpdate(sql.insert(), entries, entries.size(), (statement,
				entry) -> RejectionColumns.bind(statement, entry, sql.database(), UnaryOperator.identity())));
	}

	private void writeOne(RejectionEntry entry) {
		this.table.run((jdbc, sql) -> {
			try {
				return jdbc.update(sql.insert(), parameters(entry, sql, UnaryOperator.identity()));
			}
			catch (DuplicateKeyException ex) {
				if (isStored(jdbc, sql, entry)) {
					return 0;
				}
				throw ex;
			}
			catch (DataAccessException ex) {
				if (isNoFaultOfTheRows(ex)) {
					throw ex;
				}
				return writeInAscii(jdbc, sql, entry, ex);
			}
		});
	}

	/**
	 * The character set of the table may not have every character, and the rest says
	 * enough.
	 */
	private static int writeInAscii(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry,
			DataAccessException failure) {
		try {
			return jdbc.update(sql.insert(), parameters(entry, sql, StoredText::ascii));
		}
		catch (DataAccessException ex) {
			failure.addSuppressed(ex);
			throw failure;
		}
	}

	/**
	 * Return whether an earlier attempt had stored it, and only the answer was lost.
	 */
	private static boolean isStored(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry) {
		Integer found = jdbc.queryForObject(sql.countByKey(), Integer.class, entry.key());
		return found != null && found > 0;
	}

	private static PreparedStatementSetter parameters(RejectionEntry entry, RejectionStatements sql,
			UnaryOperator<String> text) {
		return (statement) -> RejectionColumns.bind(statement, entry, sql.database(), text);
	}

	/**
	 * Return whether anything else would have failed as well: no connection, no table, no
	 * right, no time.
	 */
	private boolean isNoFaultOfTheRows(DataAccessException failure) {
		if (failure.getMostSpecificCause() instanceof SQLException cause) {
			// First of all: to MariaDB's driver, a value that does not fit is bad grammar
			if (isFaultOfAValue(cause)) {
				return false;
			}
			if (this.table.statements().database().isNotWritable(cause)) {
				return true;
			}
		}
		return failure instanceof TransientDataAccessException || failure instanceof RecoverableDataAccessException
				|| failure instanceof NonTransientDataAccessResourceException
				|| failure instanceof InvalidDataAccessResourceUsageException;
	}

	/**
	 * Return whether the SQL state says that a value cannot be stored (22), or must not
	 * be (23).
	 */
	private static boolean isFaultOfAValue(SQLException failure) {
		String state = failure.getSQLState();
		return state != null && (state.startsWith("22") || state.startsWith("23"));
	}

	@Override
	public int deleteBefore(Instant time, int atMost) {
		return this.table.run((jdbc, sql) -> {
			List<Long> old = jdbc.queryForList(sql.findOld(), Long.class, sql.database().time(time), atMost);
			return old.isEmpty() ? 0 : jdbc.update(sql.delete(old.size()), old.stream().sorted().toArray());
		});
	}

}
