package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The statements on the table of rejections, as one database wants them.
 *
 * @param database what differs between databases
 * @param table the name of the table
 */
record RejectionStatements(RejectionSql database, String table) {

	private static final String COLUMNS = """
			rejection_key, rejected_at, lock_name, resource_id, rejected_token, accepted_token, guard_name, reason, \
			owner, instance_id""";

	String insert() {
		return "insert into %s (%s) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(this.table, COLUMNS);
	}

	/**
	 * Insert nothing: fails where the user may not insert.
	 */
	String insertNothing() {
		return "insert into %1$s (%2$s) select %2$s from %1$s where id < 0".formatted(this.table, COLUMNS);
	}

	/**
	 * Delete nothing: fails where the user may not delete.
	 */
	String deleteNothing() {
		return "delete from %s where id < 0".formatted(this.table);
	}

	String countByKey() {
		return "select count(*) from %s where rejection_key = ?".formatted(this.table);
	}

	/**
	 * Select rejections, the newest first: in the order in which they were stored, which
	 * no clock has a part in.
	 * @param resources how many of the first parameters are resources to select; 0 for
	 * all
	 * @param before whether the next parameter is an id that is greater than all
	 */
	String page(int resources, boolean before) {
		List<String> conditions = new ArrayList<>();
		if (resources > 0) {
			// Not "in", for which MariaDB wants all of one character set
			conditions.add("(" + String.join(" or ", Collections.nCopies(resources, "resource_id = ?")) + ")");
		}
		if (before) {
			conditions.add("id < ?");
		}
		return "select id, %s from %s%s%s order by id desc%s".formatted(COLUMNS, this.table,
				conditions.isEmpty() ? "" : " where ", String.join(" and ", conditions), this.database.limit());
	}

	/**
	 * Select the oldest ids from before a time.
	 */
	String findOld() {
		return "select id from %s where rejected_at < ? order by rejected_at%s".formatted(this.table,
				this.database.limit());
	}

	/**
	 * Delete by ids: not by the time, for which MySQL would lock what lies between.
	 * @param number how many ids
	 */
	String delete(int number) {
		return "delete from %s where id in (%s)".formatted(this.table,
				String.join(", ", Collections.nCopies(number, "?")));
	}

}
