package dev.fencing.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.testsupport.TestDatabase;

/**
 * The tables that the examples of {@link StatementForms} write and read.
 */
final class StatementFormTables {

	private static final String TOKEN_COLUMN = "fencing_token";

	private final JdbcTemplate jdbc;

	private final boolean mariaDb;

	private final String order;

	StatementFormTables(TestDatabase database, JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		this.mariaDb = database == TestDatabase.MARIADB;
		this.order = quoted("warehouse.`Order`");
		create(database);
	}

	private void create(TestDatabase database) {
		String tags = this.mariaDb ? "varchar(40)" : (database == TestDatabase.H2) ? "varchar(40) array" : "text[]";
		String attributes = (database == TestDatabase.POSTGRESQL) ? "jsonb" : "json";
		this.jdbc.execute("drop table if exists parcel");
		this.jdbc.execute("""
				create table parcel (id int primary key, state varchar(40), depot int, prio int, note varchar(80),
				tags %s, attributes %s, fencing_token bigint default 0 not null)""".formatted(tags, attributes));
		this.jdbc.execute("""
				create table depot (id int primary key, city varchar(40), state varchar(40),
				fencing_token bigint default 0 not null)""");
		this.jdbc.execute(this.mariaDb ? "create schema warehouse" : "create schema \"warehouse\"");
		this.jdbc.execute(quoted("""
				create table warehouse.`Order` (`no` int primary key, `state` varchar(40), `from` varchar(40),
				`limit` int, `where` varchar(40), `set` varchar(40), fencing_token bigint default 0 not null)"""));
	}

	/**
	 * Drop what is not in the test's own database.
	 */
	void drop() {
		this.jdbc.execute(this.mariaDb ? "drop schema warehouse" : "drop schema \"warehouse\" cascade");
	}

	/**
	 * Fill the tables with the rows that the examples expect; nobody has stamped them.
	 */
	void fill() {
		clear();
		this.jdbc.execute("delete from depot");
		this.jdbc.execute("insert into depot (id, city, state) values (5, 'Bern', 'OPEN'), (6, 'Chur', 'OPEN')");
		String blue = this.mariaDb ? "'blue'" : "array['blue', 'big']";
		String red = this.mariaDb ? "'red'" : "array['red']";
		this.jdbc.execute("""
				insert into parcel (id, state, depot, prio, note, tags) values (1, 'NEW', 5, 10, 'n1', %s),
				(2, 'NEW', 6, 20, 'n2', %s), (3, 'LOST', 5, 30, 'n3', %s), (4, 'DONE', 6, 40, 'n4', %s)"""
			.formatted(blue, red, red, red));
		this.jdbc.execute("update parcel set attributes = '{\"size\": {\"unit\": \"kg\"}}' where id = 1");
		this.jdbc.execute("insert into " + this.order
				+ " values (1, 'NEW', 'Basel', 1, 'a', 'x', 0), (2, 'NEW', 'Basel', 2, 'b', 'y', 0)");
	}

	/**
	 * Delete all rows of the tables that the examples write.
	 */
	void clear() {
		this.jdbc.execute("delete from parcel");
		this.jdbc.execute("delete from " + this.order);
	}

	/**
	 * Return the statements that write each row and change nothing.
	 */
	List<String> touches() {
		return List.of("update parcel set prio = prio", "update " + this.order + quoted(" set `state` = `state`"));
	}

	/**
	 * Return the rows by table and key, without their tokens.
	 */
	Map<String, String> rows() {
		Map<String, String> rows = new TreeMap<>();
		read(rows, false);
		return rows;
	}

	/**
	 * Return the tokens by table and key.
	 */
	Map<String, String> tokens() {
		Map<String, String> tokens = new TreeMap<>();
		read(tokens, true);
		return tokens;
	}

	private void read(Map<String, String> into, boolean tokens) {
		for (String table : List.of("parcel", "depot", this.order)) {
			this.jdbc.query("select * from " + table, (row) -> {
				into.put(table + " " + row.getString(1), read(row, tokens));
			});
		}
	}

	private static String read(ResultSet row, boolean tokens) throws SQLException {
		StringBuilder text = new StringBuilder();
		for (int i = 2; i <= row.getMetaData().getColumnCount(); i++) {
			String column = row.getMetaData().getColumnName(i);
			if (column.equalsIgnoreCase(TOKEN_COLUMN) == tokens) {
				text.append(tokens ? "" : column + "=").append(row.getString(i)).append(tokens ? "" : " ");
			}
		}
		return text.toString();
	}

	private String quoted(String sql) {
		return this.mariaDb ? sql : sql.replace("warehouse.", "\"warehouse\".").replace('`', '"');
	}

}
