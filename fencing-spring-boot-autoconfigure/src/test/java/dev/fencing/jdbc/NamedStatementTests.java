package dev.fencing.jdbc;

import java.math.BigDecimal;
import java.sql.Types;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.BeanPropertySqlParameterSource;
import org.springframework.jdbc.core.namedparam.EmptySqlParameterSource;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NamedStatement}.
 */
class NamedStatementTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^',
			textBlock = """
					update t set a = :a, b = :b where c = :a             | update t set a = ?, b = ? where c = ?             | a b a
					update t set a = :{a}, b = &b                        | update t set a = ?, b = ?                         | a b
					update t set a=:a, b=ARRAY[:b]::json[] where c=:c    | update t set a=?, b=ARRAY[?]::json[] where c=?    | a b c
					update t set a=:a::int,b=concat(:b::text, '::c')     | update t set a=?::int,b=concat(?::text, '::c')    | a b
					update t set a = now() + INTERVAL ':h hours', b='ratio 3:1 ?' where c=:c | update t set a = now() + INTERVAL ':h hours', b='ratio 3:1 ?' where c=? | c
					update t set a = "x:a" /* :b */ where c = :c -- :d   | update t set a = "x:a" /* :b */ where c = ? -- :d | c
					update t set a = a[1\\:2] where b ?? 'k' and c = :c  | update t set a = a[1:2] where b ?? 'k' and c = ?  | c
					update t set a = 1                                   | update t set a = 1                                | ^^
					""")
	void namesBecomePlaceholdersAndNothingElseChanges(String sql, String positional, String names) {
		StatementCall call = NamedStatement.of(sql).call(values("a", "b", "c", "d", "h"));
		assertThat(call.statement().sql()).isEqualTo(positional);
		assertThat(String.join(" ", Arrays.copyOf(call.arguments(), call.arguments().length, String[].class)))
			.isEqualTo(names);
		assertThat(call.statement().tokenParameters()).isEmpty();
	}

	@Test
	void nestedAndIndexedPropertiesAreRead() {
		StatementCall call = call("update t set a = :rows[1].name::int where b = :rows[0].name",
				new BeanPropertySqlParameterSource(new Sheet()));
		assertThat(call.statement().sql()).isEqualTo("update t set a = ?::int where b = ?");
		assertThat(unwrapped(call)).containsExactly("second", "first");
	}

	@Test
	void listBecomesAsManyPlaceholders() {
		StatementCall call = call("delete from t where a in (:list) and b = :b and c in (:list)",
				new MapSqlParameterSource("list", List.of(1, 2, 3)).addValue("b", "x"));
		assertThat(call.statement().sql()).isEqualTo("delete from t where a in (?, ?, ?) and b = ? and c in (?, ?, ?)");
		assertThat(call.arguments()).containsExactly(1, 2, 3, "x", 1, 2, 3);
	}

	@Test
	void listOfTuplesBecomesPlaceholdersInBrackets() {
		StatementCall call = call("delete from t where (a, b) in (:tuples) and c = :c",
				new MapSqlParameterSource("tuples", List.of(new Object[] { 1, "x" }, new Object[] { 2, "y" }))
					.addValue("c", 3));
		assertThat(call.statement().sql()).isEqualTo("delete from t where (a, b) in ((?, ?), (?, ?)) and c = ?");
		assertThat(call.arguments()).containsExactly(1, "x", 2, "y", 3);
	}

	@Test
	void listsOfOneStatementMayDifferInLength() {
		NamedStatement statement = NamedStatement.of("delete from t where a in (:list)");
		for (List<Integer> list : List.of(List.of(1), List.of(1, 2), List.<Integer>of(), List.of(3))) {
			StatementCall call = statement.call(new MapSqlParameterSource("list", list));
			assertThat(call.statement().sql())
				.containsOnlyOnce("in (" + "?, ".repeat(list.size()).replaceFirst(", $", "") + ")");
			assertThat(call.arguments()).isEqualTo(list.toArray());
		}
	}

	@Test
	void listThatCanBeReadOnceIsReadOnce() {
		Iterable<Integer> once = Stream.of(1, 2)::iterator;
		StatementCall call = call("delete from t where a in (:list)", new MapSqlParameterSource("list", once));
		assertThat(call.statement().sql()).isEqualTo("delete from t where a in (?, ?)");
		assertThat(call.arguments()).containsExactly(1, 2);
	}

	@Test
	void getterIsCalledOncePerCall() {
		Sheet sheet = new Sheet();
		StatementCall call = call("update t set a = :next where b = :next", new BeanPropertySqlParameterSource(sheet));
		assertThat(unwrapped(call)).containsExactly(1, 1);
	}

	@Test
	void typesOfTheSourceGoAlong() {
		MapSqlParameterSource source = new MapSqlParameterSource().addValue("a", "x", Types.OTHER, "citext")
			.addValue("b", List.of(1, 2), Types.SMALLINT)
			.addValue("c", new SqlParameterValue(Types.DECIMAL, 3, BigDecimal.ONE))
			.addValue("d", new SqlParameterValue(Types.DECIMAL, 4, List.of(BigDecimal.TEN)))
			.addValue("e", null, Types.DATE)
			.addValue("f", 7);
		StatementCall call = call("update t set a=:a, c=:c, e=:e, f=:f where b in (:b) and d in (:d)", source);
		assertThat(call.statement().sql()).isEqualTo("update t set a=?, c=?, e=?, f=? where b in (?, ?) and d in (?)");
		assertThat(call.arguments()).satisfiesExactly((a) -> assertTyped(a, Types.OTHER, "citext", null, "x"),
				(c) -> assertTyped(c, Types.DECIMAL, null, 3, BigDecimal.ONE),
				(e) -> assertTyped(e, Types.DATE, null, null, null), (f) -> assertThat(f).isEqualTo(7),
				(b) -> assertTyped(b, Types.SMALLINT, null, null, 1),
				(b) -> assertTyped(b, Types.SMALLINT, null, null, 2),
				(d) -> assertTyped(d, Types.DECIMAL, null, 4, BigDecimal.TEN));
	}

	@Test
	void nameOfTheTokenStandsForTheToken() {
		String sql = """
				update t set a = :a, tok = :fencingToken where b in (:list) and tok < :{fencingToken}::bigint \
				and c = :c""";
		MapSqlParameterSource source = new MapSqlParameterSource(Map.of("a", "A", "c", "C"));
		StatementCall expanded = call(sql, source.addValue("list", List.of(1, 2)));
		assertThat(expanded.statement().sql())
			.isEqualTo("update t set a = ?, tok = ? where b in (?, ?) and tok < ?::bigint and c = ?");
		assertThat(expanded.statement().tokenParameters()).containsExactly(1, 4);
		assertThat(expanded.arguments()).containsExactly("A", 1, 2, "C");
		StatementCall single = call(sql, source.addValue("list", 9));
		assertThat(single.statement().tokenParameters()).containsExactly(1, 3);
		assertThat(single.arguments()).containsExactly("A", 9, "C");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "update t set tok = :fencingToken where b = :b", "delete from t where tok < :{fencingToken}" })
	void valueForTheTokenIsRefused(String sql) {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> call(sql, values("b", "fencingToken")))
			.withMessageContaining(":fencingToken");
	}

	@Test
	void valueForTheTokenIsNoMatterWhereTheStatementHasNone() {
		assertThat(call("delete from t where b = :b and c = ':fencingToken'", values("b", "fencingToken")).arguments())
			.containsExactly("b");
	}

	@Test
	void missingValueIsRefused() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> call("update t set a = :a where b = :b", values("a")))
			.withMessageContaining("'b'");
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> call("update t set a = :a", EmptySqlParameterSource.INSTANCE));
	}

	@Test
	void placeholdersBesidesNamesAreRefused() {
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> call("update t set a = :a where b = ?", values("a")));
	}

	@Test
	void placeholderWithoutANameGetsNoValue() {
		assertThat(call("update t set a = 1 where b = ?", EmptySqlParameterSource.INSTANCE).arguments()).isEmpty();
	}

	@Test
	void sourceIsNotChangedAndTheStatementIsTheSameAgain() {
		Map<String, Object> map = new HashMap<>(Map.of("a", Arrays.asList(1, null), "b", new Object[] { 2 }));
		Map<String, Object> before = Map.copyOf(map);
		NamedStatement statement = NamedStatement.of("update t set x = :b, tok = :fencingToken where a in (:a)");
		StatementCall first = statement.call(new MapSqlParameterSource(map));
		StatementCall second = statement.call(new MapSqlParameterSource(map));
		assertThat(map).isEqualTo(before);
		assertThat(second.statement()).isEqualTo(first.statement());
		assertThat(second.arguments()).isEqualTo(first.arguments()).containsExactly(before.get("b"), 1, null);
	}

	@Test
	void textWithoutListsIsMadeOnce() {
		NamedStatement statement = NamedStatement.of("update t set a = :a");
		assertThat(statement.call(values("a")).statement()).isSameAs(statement.call(values("a")).statement());
	}

	private static StatementCall call(String sql, SqlParameterSource source) {
		return NamedStatement.of(sql).call(source);
	}

	/**
	 * Give each name itself as its value.
	 */
	private static SqlParameterSource values(String... names) {
		MapSqlParameterSource source = new MapSqlParameterSource();
		for (String name : names) {
			source.addValue(name, name);
		}
		return source;
	}

	private static List<Object> unwrapped(StatementCall call) {
		return Arrays.stream(call.arguments())
			.map((value) -> (value instanceof SqlParameterValue typed) ? typed.getValue() : value)
			.toList();
	}

	private static void assertTyped(Object argument, int type, String typeName, Integer scale, Object value) {
		assertThat(argument).isInstanceOfSatisfying(SqlParameterValue.class, (typed) -> {
			assertThat(typed.getSqlType()).isEqualTo(type);
			assertThat(typed.getTypeName()).isEqualTo(typeName);
			assertThat(typed.getScale()).isEqualTo(scale);
			assertThat(typed.getValue()).isEqualTo(value);
		});
	}

	/**
	 * A bean with rows, and with a getter that answers something else each time.
	 */
	public static class Sheet {

		private int calls;

		public List<Row> getRows() {
			return List.of(new Row("first"), new Row("second"));
		}

		public int getNext() {
			return ++this.calls;
		}

	}

	/**
	 * A bean with a name.
	 */
	public static class Row {

		private final String name;

		Row(String name) {
			this.name = name;
		}

		public String getName() {
			return this.name;
		}

	}

}
