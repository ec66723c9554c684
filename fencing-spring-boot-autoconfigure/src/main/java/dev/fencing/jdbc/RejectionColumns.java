package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.rejection.RejectionEntry;

/**
 * Writes rejections into the columns of their table, and reads them.
 */
final class RejectionColumns {

	private static final int OWNER_LENGTH = 64;

	private static final int INSTANCE_LENGTH = 255;

	private static final Map<String, Guard> GUARDS = Stream.of(Guard.values())
		.collect(Collectors.toMap(Guard::tag, Function.identity()));

	private static final Map<String, Reason> REASONS = Stream.of(Reason.values())
		.collect(Collectors.toMap(Reason::tag, Function.identity()));

	private RejectionColumns() {
	}

	/**
	 * Return a resource, or the name of a lock, as it is stored.
	 */
	static String resource(String resource, TextForm form) {
		return form.of(resource, LockRequest.MAX_RESOURCE_LENGTH);
	}

	/**
	 * Bind the parameters of an insert.
	 * @param statement the statement
	 * @param entry what to insert
	 * @param database what differs between databases
	 * @param form makes the texts fit
	 */
	static void bind(PreparedStatement statement, RejectionEntry entry, RejectionSql database, TextForm form)
			throws SQLException {
		Rejection rejection = entry.rejection();
		Long accepted = rejection.acceptedToken();
		statement.setString(1, entry.key());
		// Cut off here: databases round, some of them into the future
		statement.setObject(2, database.time(rejection.at().truncatedTo(ChronoUnit.MICROS)));
		statement.setString(3, resource(rejection.lock(), form));
		statement.setString(4, resource(rejection.resource(), form));
		statement.setLong(5, rejection.rejectedToken());
		if (accepted != null) {
			statement.setLong(6, accepted);
		}
		else {
			statement.setNull(6, Types.BIGINT);
		}
		statement.setString(7, rejection.guard().tag());
		statement.setString(8, rejection.reason().tag());
		statement.setString(9, form.of(rejection.owner(), OWNER_LENGTH));
		statement.setString(10, form.of(rejection.instance(), INSTANCE_LENGTH));
	}

	/**
	 * Read a rejection.
	 * @return the rejection, or null if a later version stored it, with a guard or a
	 * reason that this one does not know
	 */
	static @Nullable Rejection read(ResultSet row, RejectionSql database) throws SQLException {
		Guard guard = GUARDS.get(row.getString("guard_name"));
		Reason reason = REASONS.get(row.getString("reason"));
		return (guard != null && reason != null) ? read(row, database, guard, reason) : null;
	}

	private static Rejection read(ResultSet row, RejectionSql database, Guard guard, Reason reason)
			throws SQLException {
		long accepted = row.getLong("accepted_token");
		Long acceptedOrNull = row.wasNull() ? null : Long.valueOf(accepted);
		return new Rejection(database.readTime(row, "rejected_at"), row.getString("lock_name"),
				row.getString("resource_id"), row.getLong("rejected_token"), acceptedOrNull, guard, reason,
				row.getString("owner"), row.getString("instance_id"));
	}

}
