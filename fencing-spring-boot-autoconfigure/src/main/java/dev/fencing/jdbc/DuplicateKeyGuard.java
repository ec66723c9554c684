package dev.fencing.jdbc;

import java.util.List;

import dev.fencing.jdbc.SqlText.Range;
import dev.fencing.jdbc.StatementClauses.Clause;

import static dev.fencing.jdbc.BoundSqlBuilder.TOKEN;

/**
 * Guards the assignments of ON DUPLICATE KEY UPDATE, which has no condition of its own. A
 * row with another token than a lesser one keeps all its values. As the number of rows
 * does not tell these from the others, the statement leaves the token of a refused row in
 * a variable of the database session, together with its own. The token is assigned last:
 * assignments see what those before them have assigned.
 */
final class DuplicateKeyGuard {

	/**
	 * Where the statement leaves its token and that of the row which was refused last,
	 * with a colon between.
	 */
	static final String REFUSED = "@fencing_refused";

	private static final String FORM = "Write ON DUPLICATE KEY UPDATE column = expression[, ...]. "
			+ StatementRefusal.PLAIN;

	private DuplicateKeyGuard() {
	}

	static void guard(StatementClauses clauses, Clause on, String column, Splices splices) {
		SqlText text = clauses.text();
		int from = on.from() + 3;
		if (!text.isWord(on.from(), "DUPLICATE") || !text.isWord(on.from() + 2, "UPDATE") || from >= on.to()) {
			throw text.refuse(on.start(), "this clause is not guarded", FORM);
		}
		String token = clauses.qualified(column);
		List<Range> assignments = text.list(from, on.to());
		for (Range assignment : assignments) {
			int equals = equals(text, assignment);
			String assigned = text.text(assignment.from(), equals);
			splices.before(equals + 1, "if(%s < %s, ".formatted(token, TOKEN));
			splices.behind(assignment.to() - 1,
					", %s)".formatted((equals - assignment.from() == 1) ? clauses.qualified(assigned) : assigned));
		}
		splices.behind(on.to() - 1,
				", %1$s = if(%1$s < %3$s, %3$s, if((%2$s := concat(%3$s, ':', coalesce(%1$s, 'null'))) is null, %1$s, %1$s))"
					.formatted(token, REFUSED, TOKEN));
	}

	private static int equals(SqlText text, Range assignment) {
		for (int i = assignment.from(); i < assignment.to() - 1; i++) {
			if (text.isSymbol(i, '=') && i > assignment.from()) {
				if (text.isWord(i + 1, "DEFAULT") && !text.isSymbol(i + 2, '(')) {
					throw text.refuse(i + 1, "DEFAULT cannot depend on a token", "Write DEFAULT(column).");
				}
				return i;
			}
			if (!text.isSymbol(i, '.') && !text.isIdentifier(i)) {
				break;
			}
		}
		throw text.refuse(assignment.from(), "column = expression is expected here", FORM);
	}

}
