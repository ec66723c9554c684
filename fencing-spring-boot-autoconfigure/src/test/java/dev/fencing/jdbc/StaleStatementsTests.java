package dev.fencing.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementClauses.Kind;
import dev.fencing.testsupport.PostgresTestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Statements that were made at random, many of them broken, are sent to PostgreSQL with a
 * token that is less than that of every row: whatever the database makes of their text,
 * none may write a row.
 */
class StaleStatementsTests {

	private static final int STATEMENTS = 8_000;

	private final long seed = Long.getLong("fencing.test.seed", System.nanoTime());

	private final RandomStatements statements = new RandomStatements(SqlDialect.POSTGRESQL, this.seed);

	private final SingleConnectionDataSource dataSource = new SingleConnectionDataSource(
			PostgresTestServer.createDatabase() + "?user=postgres&password=postgres&stringtype=unspecified", true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	@AfterEach
	void close() {
		this.dataSource.destroy();
	}

	@Test
	void noneWritesARow() throws SQLException {
		createTables();
		List<Map<String, Object>> before = rows();
		int accepted = 0;
		int wouldHaveWritten = 0;
		for (int i = 0; i < STATEMENTS; i++) {
			String sql = (i % 2 == 0) ? this.statements.guardable() : this.statements.any();
			GuardedStatement guarded = guard(sql);
			if (guarded == null || guarded.kind() == Kind.INSERT) {
				continue;
			}
			int count = execute(guarded, 1);
			if (count >= 0) {
				accepted++;
				assertThat(count).as("%s (seed %d)", guarded, this.seed).isZero();
				wouldHaveWritten += (execute(guarded, Long.MAX_VALUE) > 0) ? 1 : 0;
				this.jdbc.execute("rollback; begin");
			}
			if (i % 500 == 0) {
				assertThat(rows()).as("rows after %d statements (seed %d)", i, this.seed).isEqualTo(before);
			}
		}
		assertThat(rows()).as("rows (seed %d)", this.seed).isEqualTo(before);
		assertThat(accepted).as("accepted by the database (seed %d)", this.seed).isGreaterThan(STATEMENTS / 50);
		assertThat(wouldHaveWritten).as("writing with a fresh token (seed %d)", this.seed).isGreaterThan(50);
	}

	private static GuardedStatement guard(String sql) {
		try {
			return Guarding.guard(sql, SqlDialect.POSTGRESQL);
		}
		catch (UnguardableStatementException ex) {
			return null;
		}
	}

	/**
	 * Execute a statement.
	 * @return the count, or -1 if the database refused it
	 */
	private int execute(GuardedStatement guarded, long token) throws SQLException {
		Object[] arguments = new Object[guarded.arguments()];
		Arrays.fill(arguments, "1");
		Object[] bound = guarded.bind(arguments, token);
		try (PreparedStatement statement = this.dataSource.getConnection().prepareStatement(guarded.sql())) {
			for (int i = 0; i < bound.length; i++) {
				statement.setObject(i + 1, bound[i]);
			}
			statement.execute();
			return statement.getUpdateCount();
		}
		catch (SQLException ex) {
			this.jdbc.execute("rollback; begin");
			return -1;
		}
	}

	private List<Map<String, Object>> rows() {
		return this.jdbc.queryForList("select t.*, 1 from t union all select u.*, 2 from s.t u "
				+ "union all select v.*, 3 from \"T ?\" v order by 1, 2, 9, 10");
	}

	private void createTables() {
		String columns = """
				 (a text, b_1 text, "C d" text, "w""here ?" text, e text, "größe" text, x$y text, b text,
				fencing_token bigint)""";
		this.jdbc.execute("create schema s");
		this.jdbc.execute("create table u (a text, b text)");
		this.jdbc.execute("create function f(text, text) returns text immutable language sql as 'select $1'");
		this.jdbc.execute("insert into u values ('1', '1')");
		for (String table : List.of("t", "s.t", "\"T ?\"")) {
			this.jdbc.execute("create table " + table + columns);
			this.jdbc.execute("insert into " + table
					+ " select i::text, '1', 'x', i::text, '1', '1', null, 'b', 1000 + i from generate_series(0, 4) i");
		}
		this.jdbc.execute("begin");
	}

}
