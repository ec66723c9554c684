package dev.fencing.jdbc;

import java.util.Collections;

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
	 * @param ofResource whether the first parameter is a resource
	 * @param before whether the next parameter is an id that is greater than all
	 */
	String page(boolean ofResource, boolean before) {
		String conditions = (ofResource ? " and resource_id = ?" : "") + (before ? " and id < ?" : "");
		return "select id, %s from %s%s order by id desc%s".formatted(COLUMNS, this.table,
				conditions.replaceFirst(" and", " where"), this.database.limit());
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
