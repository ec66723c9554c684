package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.UnaryOperator;

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

	private RejectionColumns() {
	}

	/**
	 * Return a resource, or the name of a lock, as it is stored.
	 */
	static String resource(String resource) {
		return StoredText.fit(resource, LockRequest.MAX_RESOURCE_LENGTH);
	}

	/**
	 * Bind the parameters of an insert.
	 * @param statement the statement
	 * @param entry what to insert
	 * @param database what differs between databases
	 * @param text changes the texts, once they fit
	 */
	static void bind(PreparedStatement statement, RejectionEntry entry, RejectionSql database,
			UnaryOperator<String> text) throws SQLException {
		Rejection rejection = entry.rejection();
		Long accepted = rejection.acceptedToken();
		statement.setString(1, entry.key());
		// Cut off here: databases round, some of them into the future
		statement.setObject(2, database.time(rejection.at().truncatedTo(ChronoUnit.MICROS)));
		statement.setString(3, text.apply(resource(rejection.lock())));
		statement.setString(4, text.apply(resource(rejection.resource())));
		statement.setLong(5, rejection.rejectedToken());
		if (accepted != null) {
			statement.setLong(6, accepted);
		}
		else {
			statement.setNull(6, Types.BIGINT);
		}
		statement.setString(7, rejection.guard().tag());
		statement.setString(8, rejection.reason().tag());
		statement.setString(9, text.apply(StoredText.fit(rejection.owner(), OWNER_LENGTH)));
		statement.setString(10, text.apply(StoredText.fit(rejection.instance(), INSTANCE_LENGTH)));
	}

	static Rejection read(ResultSet row, RejectionSql database) throws SQLException {
		long accepted = row.getLong("accepted_token");
		Long acceptedOrNull = row.wasNull() ? null : Long.valueOf(accepted);
		return new Rejection(database.readTime(row, "rejected_at"), row.getString("lock_name"),
				row.getString("resource_id"), row.getLong("rejected_token"), acceptedOrNull,
				Guard.valueOf(row.getString("guard_name").toUpperCase(Locale.ROOT)),
				Reason.valueOf(row.getString("reason").toUpperCase(Locale.ROOT)), row.getString("owner"),
				row.getString("instance_id"));
	}

}
