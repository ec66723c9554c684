package dev.fencing.jdbc;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import dev.fencing.jdbc.StatementCall.Statement;

/**
 * What it costs to guard a statement: one that is known, and one that comes for the first
 * time. Run with {@code -prof gc}, which tells the bytes per statement.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class GuardedStatementBenchmark {

	private static final String COLUMN = "fencing_token";

	/**
	 * How the statement is made.
	 */
	@Param({ "update", "insert", "upsert", "subSelects" })
	public String form = "update";

	/**
	 * How long it is, in characters, at least.
	 */
	@Param({ "100", "1000", "10000" })
	public int length = 1000;

	private Statement statement = new Statement("", List.of());

	private Object[] arguments = {};

	private final GuardedStatements statements = new GuardedStatements(SqlDialect.POSTGRESQL, COLUMN);

	/**
	 * Make the statement, and let it be known.
	 */
	@Setup
	public void prepare() {
		int columns = 1;
		String sql = sql(columns);
		while (sql.length() < this.length) {
			sql = sql(++columns);
		}
		this.statement = new Statement(sql, List.of());
		GuardedStatement guarded = this.statements.get(this.statement);
		this.arguments = IntStream.range(0, guarded.arguments()).boxed().toArray();
	}

	private String sql(int columns) {
		return switch (this.form) {
			case "update" -> "update parcel set %s where id = ?".formatted(list(columns, "column_%d = ?"));
			case "insert" ->
				"insert into parcel (%s) values (%s)".formatted(list(columns, "column_%d"), list(columns, "?"));
			case "upsert" -> "insert into parcel (column_0, %s) values (0, %s) on conflict (column_0) do update set %s"
				.formatted(list(columns, "column_%d"), list(columns, "?"),
						list(columns, "column_%1$d = excluded.column_%1$d"));
			default -> "update parcel p set state = 'DONE' where " + IntStream.range(0, columns)
				.mapToObj(
						"p.id in (select s.id from stop s where s.kind = 'it''s %d' /* hint */ and s.at < ?)"::formatted)
				.collect(Collectors.joining(" or "));
		};
	}

	private static String list(int columns, String item) {
		return IntStream.range(0, columns).mapToObj(item::formatted).collect(Collectors.joining(", "));
	}

	/**
	 * Guard a statement that is known.
	 * @return the guarded statement
	 */
	@Benchmark
	public Object known() {
		return this.statements.get(this.statement);
	}

	/**
	 * Guard a statement that is known, as the helper does it: with a key of its own.
	 * @return the guarded statement
	 */
	@Benchmark
	public Object knownAsCalled() {
		return this.statements.get(StatementCall.of(this.statement.sql(), this.arguments).statement());
	}

	/**
	 * Guard a statement that comes for the first time.
	 * @return the guarded statement
	 */
	@Benchmark
	public Object first() {
		return GuardedStatement.of(this.statement, SqlDialect.POSTGRESQL, COLUMN);
	}

	/**
	 * Put the arguments of a statement, and its tokens, in their places.
	 * @return the arguments and tokens
	 */
	@Benchmark
	public Object bind() {
		return this.statements.get(this.statement).bind(this.arguments, 42_000_001);
	}

}
