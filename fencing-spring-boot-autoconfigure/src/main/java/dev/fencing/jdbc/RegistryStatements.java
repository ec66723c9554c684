package dev.fencing.jdbc;

/**
 * The statements on the registry's table, as one database wants them.
 *
 * @param database what differs between databases
 * @param update registers a token that is greater than the registered one
 * @param create creates the row of a resource unless it is there, with a token that any
 * owner's exceeds
 * @param read reads what is registered
 * @param lock reads it and keeps the row locked to the end of the transaction
 */
record RegistryStatements(RegistrySql database, String update, String create, String read, String lock) {

	/**
	 * The owner of a row that nobody has registered in. Not empty, which Oracle takes for
	 * null.
	 */
	private static final String NO_OWNER = "-";

	static RegistryStatements on(String table, RegistrySql database) {
		String select = "select fencing_token, owner, registered_at from ";
		String condition = " where resource_id = ?";
		return new RegistryStatements(database, """
				update %s set fencing_token = ?, owner = ?, registered_at = %s \
				where resource_id = ? and fencing_token < ?""".formatted(table, database.now()), """
				insert into %s (resource_id, fencing_token, owner, registered_at) \
				values (?, 0, '%s', %s)%s""".formatted(table, NO_OWNER, database.now(), database.ignoringDuplicates()),
				select + table + condition, database.lockingRead(select, table, condition));
	}

}
