package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementClauses.Kind;
import dev.fencing.jdbc.StatementClauses.Target;
import dev.fencing.jdbc.StatementGuard.Splice;

/**
 * A statement with stamp and guard in it. Immutable, and the same for every token.
 */
final class GuardedStatement {

	private final Kind kind;

	private final Target target;

	private final String original;

	private final String sql;

	private final List<Splice> splices;

	private final int arguments;

	/**
	 * For each of our placeholders how many of the statement's own come before it.
	 */
	private final int[] tokenSlots;

	private final @Nullable LockingQuery refusedRows;

	private final PinnedColumns pinnedColumns;

	private GuardedStatement(StatementClauses clauses, List<Splice> splices, String sql, int[] tokenSlots,
			@Nullable LockingQuery refusedRows) {
		this.kind = clauses.kind();
		this.target = clauses.target();
		this.original = clauses.text().sql();
		this.sql = sql;
		this.splices = List.copyOf(splices);
		this.arguments = clauses.text().placeholders(0, clauses.text().size());
		this.tokenSlots = tokenSlots;
		this.refusedRows = refusedRows;
		this.pinnedColumns = PinnedColumns.of(clauses);
	}

	/**
	 * Guard a statement.
	 * @param sql the statement, with positional parameters
	 * @param dialect how to read it
	 * @param column the name of the token column
	 * @throws UnguardableStatementException if it cannot be guarded
	 */
	static GuardedStatement of(String sql, SqlDialect dialect, String column) {
		return StatementGuard.guard(StatementSplitter.split(SqlLexer.read(sql, dialect)), column);
	}

	static GuardedStatement of(StatementClauses clauses, List<Splice> splices, @Nullable LockingQuery refusedRows) {
		SqlText text = clauses.text();
		StringBuilder sql = new StringBuilder(text.sql().length() + 32 * splices.size());
		int[] tokenSlots = new int[splices.stream().mapToInt(Splice::placeholders).sum()];
		int slots = 0;
		int copied = 0;
		int token = 0;
		int own = 0;
		for (Splice splice : splices) {
			sql.append(text.sql(), copied, splice.offset()).append(splice.inserted());
			copied = splice.offset();
			for (; token < text.size() && text.token(token).start() < copied; token++) {
				own += text.is(token, SqlToken.Kind.PLACEHOLDER) ? 1 : 0;
			}
			if (splice.placeholders() > 0) {
				tokenSlots[slots++] = own;
			}
		}
		sql.append(text.sql(), copied, text.sql().length());
		return new GuardedStatement(clauses, splices, sql.toString(), tokenSlots, refusedRows);
	}

	/**
	 * Return the text to be sent.
	 */
	String sql() {
		return this.sql;
	}

	/**
	 * Return the text as the application gave it.
	 */
	String original() {
		return this.original;
	}

	/**
	 * Return what was put into the original text, in order.
	 */
	List<Splice> splices() {
		return this.splices;
	}

	Kind kind() {
		return this.kind;
	}

	Target target() {
		return this.target;
	}

	/**
	 * Return how many arguments the statement wants of the application.
	 */
	int arguments() {
		return this.arguments;
	}

	/**
	 * Return the query for the rows that the statement means but must not write, or null
	 * for an INSERT.
	 */
	@Nullable LockingQuery refusedRows() {
		return this.refusedRows;
	}

	/**
	 * Return the columns that the condition fixes to one value.
	 */
	PinnedColumns pinnedColumns() {
		return this.pinnedColumns;
	}

	/**
	 * Check the number of arguments.
	 * @throws InvalidDataAccessApiUsageException if there are too many or too few. It is
	 * a mistake in the call and not in the statement, and nothing that another attempt
	 * could mend, which every {@code FencingException} suggests.
	 */
	void checkArguments(@Nullable Object[] arguments) {
		if (arguments.length != this.arguments) {
			throw new InvalidDataAccessApiUsageException("""
					The statement has %d placeholders, but %d arguments were given%s. \
					Nothing was sent to the database.
					%s""".formatted(this.arguments, arguments.length,
					(arguments.length < this.arguments) ? " (the operator ? is written ??)" : "", this.original));
		}
	}

	/**
	 * Put the token between the arguments.
	 * @param arguments the arguments of the application; not changed
	 * @param token the token of this execution
	 * @return the arguments for {@link #sql()}
	 * @throws InvalidDataAccessApiUsageException if there are too many or too few
	 * arguments
	 */
	@Nullable Object[] bind(@Nullable Object[] arguments, long token) {
		checkArguments(arguments);
		@Nullable Object[] bound = new @Nullable Object[arguments.length + this.tokenSlots.length];
		int copied = 0;
		for (int i = 0; i < this.tokenSlots.length; i++) {
			int slot = this.tokenSlots[i];
			System.arraycopy(arguments, copied, bound, copied + i, slot - copied);
			bound[slot + i] = token;
			copied = slot;
		}
		System.arraycopy(arguments, copied, bound, copied + this.tokenSlots.length, arguments.length - copied);
		return bound;
	}

	@Override
	public String toString() {
		return this.sql;
	}

}
