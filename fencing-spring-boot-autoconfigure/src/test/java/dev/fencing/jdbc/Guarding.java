package dev.fencing.jdbc;

import java.util.List;

import dev.fencing.jdbc.StatementCall.Statement;

/**
 * Guards statements as the helpers do, without a database.
 */
final class Guarding {

	private Guarding() {
	}

	static GuardedStatement guard(String sql, SqlDialect dialect) {
		return GuardedStatement.of(new Statement(sql, List.of()), dialect, "fencing_token");
	}

	static SqlText read(String sql, SqlDialect dialect) {
		return SqlLexer.read(sql, dialect, List.of());
	}

}
