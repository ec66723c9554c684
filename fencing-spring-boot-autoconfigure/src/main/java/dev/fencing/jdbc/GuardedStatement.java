package dev.fencing.jdbc;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;

import dev.fencing.FencingTokens;
import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.Splices.Splice;
import dev.fencing.jdbc.StatementCall.Statement;
import dev.fencing.jdbc.StatementClauses.Keyword;
import dev.fencing.jdbc.StatementClauses.Target;

/**
 * A statement with stamp and guard in it. Immutable, and the same for every token.
 */
final class GuardedStatement {

	private final SqlDialect dialect;

	private final StatementClauses.Kind kind;

	private final Target target;

	private final String original;

	private final BoundSql sql;

	private final List<Splice> splices;

	private final int arguments;

	private final @Nullable LockingQuery refusedRows;

	private final boolean marksRefusals;

	private final int rows;

	private final boolean writesAllRows;

	private final PinnedColumns pinnedColumns;

	private final List<Integer> tokenArguments;

	private final boolean returning;

	private final boolean backslashMatters;

	private GuardedStatement(Builder builder) {
		StatementClauses clauses = builder.clauses;
		this.dialect = clauses.text().dialect();
		this.kind = clauses.kind();
		this.target = clauses.target();
		this.original = clauses.text().sql();
		this.sql = builder.splices.apply();
		this.splices = builder.splices.inOrder();
		this.arguments = clauses.text().arguments();
		this.refusedRows = builder.refusedRows;
		this.marksRefusals = builder.marksRefusals;
		this.rows = builder.rows;
		this.writesAllRows = builder.writesAllRows;
		this.pinnedColumns = builder.pinnedColumns;
		this.tokenArguments = builder.tokenArguments;
		this.returning = clauses.find(Keyword.RETURNING) != null;
		this.backslashMatters = clauses.text().backslashMatters();
	}

	/**
	 * Guard a statement.
	 * @param statement the statement
	 * @param dialect how to read it
	 * @param column the name of the token column
	 * @throws UnguardableStatementException if it cannot be guarded
	 */
	static GuardedStatement of(Statement statement, SqlDialect dialect, String column) {
		SqlText text = SqlLexer.read(statement.sql(), dialect, statement.tokenParameters());
		return StatementGuard.guard(StatementSplitter.split(text), column);
	}

	static Builder builder(StatementClauses clauses) {
		return new Builder(clauses);
	}

	/**
	 * Return the text to be sent.
	 */
	String sql() {
		return this.sql.sql();
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

	/**
	 * Return the statements that give each row of the table a token.
	 */
	String repair(String column) {
		return this.dialect.repair(this.target.sqlName(), column);
	}

	SqlDialect dialect() {
		return this.dialect;
	}

	StatementClauses.Kind kind() {
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
	 * Return whether the statement answers with rows.
	 */
	boolean isReturning() {
		return this.returning;
	}

	/**
	 * Return whether it was read with backslash escapes, and would be another one
	 * without.
	 */
	boolean backslashMatters() {
		return this.backslashMatters;
	}

	/**
	 * Return the query for the rows that the statement means but must not write, or null
	 * if it updates and deletes none, or tells of them by itself.
	 */
	@Nullable LockingQuery refusedRows() {
		return this.refusedRows;
	}

	/**
	 * Return whether it tells of refused rows by itself, see {@link DuplicateKeyGuard}.
	 */
	boolean marksRefusals() {
		return this.marksRefusals;
	}

	/**
	 * Return how many rows it writes if none is refused, or -1 if nobody can tell.
	 */
	int rows() {
		return this.rows;
	}

	/**
	 * Return whether a count that is less than {@link #rows()} always means that a row
	 * was refused.
	 */
	boolean writesAllRows() {
		return this.writesAllRows;
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
					(arguments.length < this.arguments && this.dialect.hasQuestionMarkEscapes())
							? " (the operator ? is written ??)" : "",
					this.original));
		}
	}

	/**
	 * Return the token that the application has drawn for this statement itself.
	 * @param generation the generation of its acquisition
	 * @return the token; null if it left that to us
	 * @throws InvalidDataAccessApiUsageException if it is no token of that acquisition
	 */
	@Nullable Long ownToken(@Nullable Object[] arguments, long generation) {
		Long own = null;
		for (int index : this.tokenArguments) {
			if (!(arguments[index] instanceof Long token) || FencingTokens.generation(token) != generation
					|| (own != null && !own.equals(token))) {
				throw new InvalidDataAccessApiUsageException("""
						The argument for the token column is %s, and not one token of this acquisition in all places: \
						write :fencingToken in the statement, without an argument, or give \
						FencingContext.require().nextToken(). Nothing was sent to the database.
						%s""".formatted(arguments[index], this.original));
			}
			own = token;
		}
		return own;
	}

	/**
	 * Put the token between the arguments.
	 * @param arguments the arguments of the application; not changed
	 * @param token the token of this execution
	 * @return the arguments for {@link #sql()}
	 */
	@Nullable Object[] bind(@Nullable Object[] arguments, long token) {
		return this.sql.bind(arguments, token, token);
	}

	@Override
	public String toString() {
		return sql();
	}

	/**
	 * Collects what is known about a statement.
	 */
	static final class Builder {

		private final StatementClauses clauses;

		private Splices splices;

		private @Nullable LockingQuery refusedRows;

		private boolean marksRefusals;

		private int rows = -1;

		private boolean writesAllRows;

		private PinnedColumns pinnedColumns = PinnedColumns.NONE;

		private List<Integer> tokenArguments = List.of();

		private Builder(StatementClauses clauses) {
			this.clauses = clauses;
			this.splices = new Splices(clauses.text());
		}

		Builder splices(Splices splices) {
			this.splices = splices;
			return this;
		}

		Builder refusedRows(LockingQuery refusedRows) {
			this.refusedRows = refusedRows;
			return this;
		}

		Builder marksRefusals() {
			this.marksRefusals = true;
			return this;
		}

		/**
		 * Tell how many rows are given.
		 * @param rows the number; 0 if a query makes them
		 * @param all whether each of them is written unless it is refused
		 */
		Builder rows(int rows, boolean all) {
			this.rows = (rows > 0) ? rows : -1;
			this.writesAllRows = all && rows > 0;
			return this;
		}

		Builder pinnedColumns(PinnedColumns pinnedColumns) {
			this.pinnedColumns = pinnedColumns;
			return this;
		}

		Builder tokenArguments(List<Integer> tokenArguments) {
			this.tokenArguments = List.copyOf(tokenArguments);
			return this;
		}

		GuardedStatement build() {
			return new GuardedStatement(this);
		}

	}

}
