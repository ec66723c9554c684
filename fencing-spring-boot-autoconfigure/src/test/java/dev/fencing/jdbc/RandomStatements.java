package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes statements at random, with literals, names and comments that hold what a careless
 * reader would take for quotes, placeholders or clauses.
 */
class RandomStatements {

	private static final String[] NASTY = { "'", "''", "?", "??", ":x", ";", "--", "/*", "*/", " WHERE ", " SET ", "\\",
			"\"", "$$", "$q$", "(", ")", ",", "returning", "fencing_token", "\n", "ä", "`", "{", " or " };

	private static final String[] NAMES = { "a", "b_1", "\"C d\"", "\"w\"\"here ?\"", "t.e", "größe", "x$y" };

	private static final String[] MYSQL_NAMES = { "a", "b_1", "`C d`", "`w``here ?`", "t.e", "größe", "x$y" };

	private final Random random;

	private final SqlDialect dialect;

	private int placeholders;

	RandomStatements(SqlDialect dialect, long seed) {
		this.dialect = dialect;
		this.random = new Random(seed);
	}

	/**
	 * Return the placeholders of the statement that was made last.
	 */
	int placeholders() {
		return this.placeholders;
	}

	/**
	 * Make a statement of a form that must be guarded.
	 */
	String guardable() {
		this.placeholders = 0;
		boolean with = this.dialect.hasLeadingWith() && chance(5);
		String statement = (with ? with() : "") + switch (this.random.nextInt(3)) {
			case 0 -> update();
			case 1 -> delete();
			default -> insert();
		};
		return (chance(4) ? comment() + " " : "") + statement + (chance(4) ? ";" : "") + end();
	}

	/**
	 * Make a statement of any form, often a wrong one.
	 */
	String any() {
		String statement = guardable();
		int mutations = this.random.nextInt(3);
		for (int i = 0; i < mutations; i++) {
			int at = this.random.nextInt(statement.length());
			statement = switch (this.random.nextInt(4)) {
				case 0 -> statement.substring(0, at) + statement.substring(at + 1);
				case 1 -> statement.substring(0, at) + pick(NASTY) + statement.substring(at);
				case 2 -> statement.substring(0, at) + " " + tail() + " " + statement.substring(at);
				default -> statement + " " + tail();
			};
		}
		return statement;
	}

	private String tail() {
		return pick("returning *", "limit 3", "from u", "using u", "where 1=1", "order by a", "on conflict do nothing",
				"; delete from t", "select 1", "values (1)", "set a = 1", "as x", "join u on true");
	}

	private String with() {
		return "with" + gap() + pick("x", "x (a)", "recursive x") + gap() + "as" + gap() + "(select a from u" + where()
				+ ")" + gap();
	}

	private String update() {
		boolean from = this.dialect.hasJoinedTables() && chance(4);
		return "update" + gap() + target() + gap() + "set" + gap() + assignments("")
				+ (from ? gap() + "from" + gap() + pick("u", "u as \"U ?\"", "u, s.t v") : "") + where()
				+ (this.dialect.hasReturning() ? returning() : "");
	}

	private String delete() {
		boolean using = this.dialect.hasJoinedTables() && chance(4);
		return "delete" + gap() + "from" + gap() + target()
				+ (using ? gap() + "using" + gap() + pick("u", "u as \"U ?\"", "u, s.t v") : "") + where()
				+ (this.dialect.hasReturning() ? returning() : "");
	}

	private String assignments(String table) {
		List<String> assignments = new ArrayList<>();
		for (int i = this.random.nextInt(3); i >= 0; i--) {
			assignments.add(table + pick("a", "b_1", "größe") + gap() + "=" + gap() + expression(2));
		}
		return String.join("," + gap(), assignments);
	}

	private String insert() {
		int columns = 1 + this.random.nextInt(3);
		StringBuilder statement = new StringBuilder("insert into ")
			.append(pick("t", "s.t", (this.dialect == SqlDialect.MYSQL) ? "`T`" : "\"T\""))
			.append(gap())
			.append('(');
		for (int i = 0; i < columns; i++) {
			statement.append((i > 0) ? "," : "").append(gap()).append(List.of("a", "b", "c_3").get(i));
		}
		statement.append(gap()).append(')').append(gap());
		statement.append(chance(4) ? query(columns) : rows(columns));
		return statement + conflict() + (this.dialect.hasReturning() ? returning() : "");
	}

	private String rows(int columns) {
		StringBuilder rows = new StringBuilder("values");
		for (int row = this.random.nextInt(3); row >= 0; row--) {
			rows.append(gap()).append('(').append(list(columns)).append(gap()).append(')').append((row > 0) ? "," : "");
		}
		return rows.toString();
	}

	private String query(int columns) {
		return "select" + gap() + (chance(4) ? "distinct " : "") + list(columns) + gap() + "from u" + where()
				+ (chance(4) ? gap() + "union all" + gap() + "select" + gap() + list(columns) + gap() + "from u" : "");
	}

	private String list(int columns) {
		List<String> list = new ArrayList<>();
		for (int i = 0; i < columns; i++) {
			list.add(expression(2));
		}
		return String.join("," + gap(), list);
	}

	private String conflict() {
		return switch (this.dialect) {
			case H2 -> chance(6) ? gap() + "on conflict do nothing" : "";
			case POSTGRESQL -> switch (this.random.nextInt(6)) {
				case 0 -> gap() + "on conflict do nothing";
				case 1, 2 ->
					gap() + "on conflict" + gap() + "(a)" + gap() + "do update set" + gap() + assignments("") + where();
				default -> "";
			};
			case MYSQL ->
				chance(3) ? gap() + "on duplicate key update" + gap() + assignments(chance(3) ? "t." : "") : "";
		};
	}

	private String returning() {
		return chance(4) ? gap() + "returning" + gap() + pick("*", "a, fencing_token", "t.a as \"b\"") : "";
	}

	private String where() {
		return chance(5) ? "" : gap() + "where" + gap() + predicate(3);
	}

	private String predicate(int depth) {
		if (depth == 0 || chance(3)) {
			return switch (this.random.nextInt(5)) {
				case 0 -> expression(1) + " is not distinct from " + expression(1);
				case 1 -> name() + " in (select a from u where " + predicate(0) + " limit 1)";
				case 2 -> name() + " between " + expression(0) + " and " + expression(0);
				default -> expression(1) + gap() + pick("=", "<", ">=", "<>", "@>", "||") + gap() + expression(1);
			};
		}
		return switch (this.random.nextInt(4)) {
			case 0 -> "not" + gap() + predicate(depth - 1);
			case 1 -> "(" + gap() + predicate(depth - 1) + ")";
			case 2 -> predicate(depth - 1) + gap() + "or" + gap() + predicate(depth - 1);
			default -> predicate(depth - 1) + gap() + "and" + gap() + predicate(depth - 1);
		};
	}

	private String expression(int depth) {
		if (depth > 0 && chance(3)) {
			return switch (this.random.nextInt(4)) {
				case 0 -> "(" + expression(depth - 1) + gap() + "+" + gap() + expression(depth - 1) + ")";
				case 1 -> "f(" + expression(depth - 1) + "," + gap() + expression(depth - 1) + ")";
				case 2 -> "(select max(a) from u where b = " + expression(depth - 1) + ")";
				default -> "case when " + predicate(0) + " then " + expression(depth - 1) + " end";
			};
		}
		return switch (this.random.nextInt(9)) {
			case 0, 1, 2 -> placeholder();
			case 3 ->
				(this.dialect == SqlDialect.MYSQL) ? "cast(" + placeholder() + " as char)" : placeholder() + "::text";
			case 4, 5 -> literal();
			case 6 -> String.valueOf(this.random.nextInt(1000)) + pick("", ".5", "e3");
			default -> name();
		};
	}

	private String placeholder() {
		this.placeholders++;
		return "?";
	}

	private String literal() {
		String content = nasty();
		if (this.dialect == SqlDialect.MYSQL) {
			String escaped = content.replace("\\", "\\\\");
			return chance(3) ? " \"" + escaped.replace("\"", "\\\"").replace("fencing", "f") + "\""
					: "'" + escaped.replace("'", chance(2) ? "\\'" : "''") + "'";
		}
		if (this.dialect == SqlDialect.H2) {
			return chance(3) ? " $$" + content.replace("$", "") + "$$" : "'" + content.replace("'", "''") + "'";
		}
		return switch (this.random.nextInt(3)) {
			case 0 -> " $z$" + content + "$z$";
			case 1 -> " E'" + content.replace("\\", "\\\\").replace("'", chance(2) ? "\\'" : "''") + "'";
			default -> "'" + content.replace("'", "''") + "'";
		};
	}

	private String nasty() {
		StringBuilder text = new StringBuilder();
		for (int i = this.random.nextInt(6); i > 0; i--) {
			text.append(pick(NASTY)).append(chance(2) ? "x" : "");
		}
		return text.toString();
	}

	private String name() {
		return pick((this.dialect == SqlDialect.MYSQL) ? MYSQL_NAMES : NAMES);
	}

	private String target() {
		if (this.dialect == SqlDialect.MYSQL) {
			return pick("t", "s.t", "`T ?`") + (chance(3) ? gap() + pick("as p", "p", "as `P'`") : "");
		}
		return pick("t", "s.t", "\"T ?\"", (this.dialect == SqlDialect.H2) ? "`t ?`" : "only t")
				+ (chance(3) ? gap() + pick("as p", "p", "as \"P'\"") : "");
	}

	private String gap() {
		return chance(8) ? " " + comment() + " " : pick(" ", "  ", "\n", "\t");
	}

	private String comment() {
		if (chance(2)) {
			String start = switch (this.dialect) {
				case POSTGRESQL -> "-- ";
				case H2 -> pick("-- ", "// ");
				case MYSQL -> pick("-- ", "# ");
			};
			return start + nasty().replace("\n", "") + "\n";
		}
		return "/* " + nasty().replace("/", "").replace("*", "")
				+ ((this.dialect.hasNestedComments() && chance(3)) ? "/* ' */" : "") + " */";
	}

	private String end() {
		return chance(5) ? pick(" ", "\n", " -- last ? where", "/* ' */") : "";
	}

	private boolean chance(int of) {
		return this.random.nextInt(of) == 0;
	}

	private String pick(String... choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
