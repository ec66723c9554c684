package dev.fencing.jdbc;

import java.time.Instant;
import java.util.List;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

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
			this.table.run((jdbc, sql) -> {
				if (entries.size() == 1) {
					writeOne(jdbc, sql, entries.get(0));
				}
				else {
					writeTogether(jdbc, sql, entries);
				}
				return null;
			});
		}
		catch (RefusedRowException | RejectionSinkUnavailableException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			// Whatever it is: the rows are at fault only where that is known
			throw unavailable(ex);
		}
	}

	private static RejectionSinkUnavailableException unavailable(Throwable failure) {
		return new RejectionSinkUnavailableException("The table of rejections cannot be written to: "
				+ NestedExceptionUtils.getMostSpecificCause(failure).getMessage(), failure);
	}

	private static void writeTogether(JdbcTemplate jdbc, RejectionStatements sql, List<RejectionEntry> entries) {
		try {
			jdbc.execute((ConnectionCallback<int[][]>) (connection) -> OwnTransaction.run(connection,
					() -> jdbc.batchUpdate(sql.insert(), entries, entries.size(), (statement, entry) -> RejectionColumns
						.bind(statement, entry, sql.database(), StoredText::fit))));
		}
		catch (RuntimeException | Error ex) {
			if (RejectionFailure.isOutage(ex, sql.database())) {
				throw ex;
			}
			throw new RefusedRowException(ex);
		}
	}

	private static void writeOne(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry) {
		try {
			insert(jdbc, sql, entry, StoredText::fit);
		}
		catch (RuntimeException | Error ex) {
			if (isFaultOfTheRow(jdbc, sql, entry, ex)) {
				writeInAscii(jdbc, sql, entry, ex);
			}
		}
	}

	/**
	 * The character set of the table may not have every character, and the rest says
	 * enough.
	 */
	private static void writeInAscii(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry,
			Throwable failure) {
		try {
			insert(jdbc, sql, entry, StoredText::ascii);
		}
		catch (RuntimeException | Error ex) {
			if (isFaultOfTheRow(jdbc, sql, entry, ex)) {
				throw new RefusedRowException(failure);
			}
		}
	}

	/**
	 * Return whether a row cannot be stored, or else is.
	 * @throws RuntimeException if another row could not be stored either
	 */
	private static boolean isFaultOfTheRow(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry,
			Throwable failure) {
		if (failure instanceof DuplicateKeyException && isStored(jdbc, sql, entry)) {
			return false;
		}
		if (RejectionFailure.isOutage(failure, sql.database())) {
			throw unavailable(failure);
		}
		if (!RejectionFailure.isFaultOfAValue(failure)) {
			// Nobody knows: this fails as well if it is not for the row
			jdbc.update(sql.insertNothing());
		}
		return true;
	}

	private static void insert(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry, TextForm form) {
		jdbc.update(sql.insert(), (statement) -> RejectionColumns.bind(statement, entry, sql.database(), form));
	}

	/**
	 * Return whether an earlier attempt had stored it, and only the answer was lost.
	 */
	private static boolean isStored(JdbcTemplate jdbc, RejectionStatements sql, RejectionEntry entry) {
		Integer found = jdbc.queryForObject(sql.countByKey(), Integer.class, entry.key());
		return found != null && found > 0;
	}

	@Override
	public int deleteBefore(Instant time, int atMost) {
		return this.table.run((jdbc, sql) -> {
			List<Long> old = jdbc.queryForList(sql.findOld(), Long.class, sql.database().time(time), atMost);
			return old.isEmpty() ? 0 : jdbc.update(sql.delete(old.size()), old.stream().sorted().toArray());
		});
	}

	/**
	 * The connection works, and this row cannot be stored, or one of these.
	 */
	private static final class RefusedRowException extends RuntimeException {

		RefusedRowException(Throwable failure) {
			super(NestedExceptionUtils.getMostSpecificCause(failure).getMessage(), failure);
		}

	}

}
