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
		String statement = switch (this.random.nextInt(3)) {
			case 0 -> update();
			case 1 -> "delete" + gap() + "from" + gap() + target() + where();
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

	private String update() {
		List<String> assignments = new ArrayList<>();
		for (int i = this.random.nextInt(3); i >= 0; i--) {
			assignments.add(name() + gap() + "=" + gap() + expression(2));
		}
		return "update" + gap() + target() + gap() + "set" + gap() + String.join("," + gap(), assignments) + where();
	}

	private String insert() {
		int columns = 1 + this.random.nextInt(3);
		StringBuilder statement = new StringBuilder("insert into ").append(pick("t", "s.t", "\"T\""))
			.append(gap())
			.append('(');
		for (int i = 0; i < columns; i++) {
			statement.append((i > 0) ? "," : "").append(gap()).append(pick("a", "\"b\"", "c_3"));
		}
		statement.append(gap()).append(')').append(gap()).append("values");
		for (int row = this.random.nextInt(3); row >= 0; row--) {
			statement.append(gap()).append('(');
			for (int i = 0; i < columns; i++) {
				statement.append((i > 0) ? "," : "").append(expression(2));
			}
			statement.append(gap()).append(')').append((row > 0) ? "," : "");
		}
		return statement + (chance(6) ? " on conflict do nothing" : "");
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
			case 3 -> placeholder() + "::text";
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
		return pick(NAMES);
	}

	private String target() {
		return pick("t", "s.t", "\"T ?\"", (this.dialect == SqlDialect.H2) ? "`t ?`" : "only t")
				+ (chance(3) ? gap() + pick("as p", "p", "as \"P'\"") : "");
	}

	private String gap() {
		return chance(8) ? " " + comment() + " " : pick(" ", "  ", "\n", "\t");
	}

	private String comment() {
		return chance(2)
				? ((this.dialect == SqlDialect.H2 && chance(2)) ? "// " : "-- ") + nasty().replace("\n", "") + "\n"
				: "/* " + nasty().replace("/", "").replace("*", "") + (chance(3) ? "/* ' */" : "") + " */";
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
