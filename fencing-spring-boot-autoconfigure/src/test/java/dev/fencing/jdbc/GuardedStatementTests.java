package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.InvalidDataAccessApiUsageException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardedStatement}.
 */
class GuardedStatementTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^',
			textBlock = """
					update t set a = ? where id = ?               | update t set a = ?, fencing_token = ? where (id = ?) and fencing_token < ?
					UPDATE t SET a=1                              | UPDATE t SET a=1, fencing_token = ? where fencing_token < ?
					update t set a=1;                             | update t set a=1, fencing_token = ? where fencing_token < ?;
					update t set a='x'where id=1;                 | update t set a='x', fencing_token = ? where (id=1) and fencing_token < ?;
					update s.t as p set a=1 where p.a=2 or p.b=3  | update s.t as p set a=1, fencing_token = ? where (p.a=2 or p.b=3) and fencing_token < ?
					update "T" p set (a,b)=(1,?) where not (a>b)  | update "T" p set (a,b)=(1,?), fencing_token = ? where (not (a>b)) and fencing_token < ?
					update only t set a=1 where(a=1)or b=2        | update only t set a=1, fencing_token = ? where((a=1)or b=2) and fencing_token < ?
					update t set a=1 where a is distinct from b   | update t set a=1, fencing_token = ? where (a is distinct from b) and fencing_token < ?
					update t set a=b is distinct from ? where c   | update t set a=b is distinct from ?, fencing_token = ? where (c) and fencing_token < ?
					update t set a=1 where id=?--c                | update t set a=1, fencing_token = ? where (id=?) and fencing_token < ? --c
					update t set a=1 -- where b                   | update t set a=1, fencing_token = ? where fencing_token < ? -- where b
					update t/*c*/set a=1/*d*/where/*e*/id=1/*f*/  | update t/*c*/set a=1, fencing_token = ? /*d*/where/*e*/(id=1) and fencing_token < ? /*f*/
					/*+ h */ update t set a=1 where id in (select id from u where x limit 1) | /*+ h */ update t set a=1, fencing_token = ? where (id in (select id from u where x limit 1)) and fencing_token < ?
					update t set a=(select max(b) from u where u.id=t.id), set=1 | update t set a=(select max(b) from u where u.id=t.id), set=1, fencing_token = ? where fencing_token < ?
					update t set p.order=1, b=p.limit where p.from=1 | update t set p.order=1, b=p.limit, fencing_token = ? where (p.from=1) and fencing_token < ?
					update t set body=$q$ WHERE x=? $q$ WHERE id=? | update t set body=$q$ WHERE x=? $q$, fencing_token = ? WHERE (id=?) and fencing_token < ?
					update t set a=? where b @> ?::jsonb and c ?? 'k' | update t set a=?, fencing_token = ? where (b @> ?::jsonb and c ?? 'k') and fencing_token < ?
					delete from t                                 | delete from t where fencing_token < ?
					delete from t p;                              | delete from t p where fencing_token < ?;
					delete from t where a=? or b=?                | delete from t where (a=? or b=?) and fencing_token < ?
					delete from only t as p where p.a=?           | delete from only t as p where (p.a=?) and fencing_token < ?
					insert into t (a) values (?)                  | insert into t (a, fencing_token) values (?, ?)
					insert into s."T"(a,b)values(?,'),('),(1,(2)); | insert into s."T"(a,b, fencing_token)values(?,'),(', ?),(1,(2), ?);
					insert into t(a/*c*/)values(1/*d*/)/*e*/      | insert into t(a, fencing_token /*c*/)values(1, ? /*d*/)/*e*/
					insert into t(a) overriding system value values (default) | insert into t(a, fencing_token) overriding system value values (default, ?)
					insert into t as x (a) values ((select max(a) from u)) on conflict (a) where b do nothing | insert into t as x (a, fencing_token) values ((select max(a) from u), ?) on conflict (a) where b do nothing
					insert into t(a) values (1) on conflict do nothing | insert into t(a, fencing_token) values (1, ?) on conflict do nothing
					""")
	void stampAndGuardAreAddedAndNothingElseChanges(String sql, String guarded) {
		assertThat(guard(sql).sql()).isEqualTo(guarded);
	}

	@Test
	void trailingLineCommentDoesNotSwallowTheGuard() {
		assertThat(guard("update t set a = 1 -- first\n where id = ? -- last").sql())
			.isEqualTo("update t set a = 1, fencing_token = ? -- first\n where (id = ?) and fencing_token < ? -- last");
		assertThat(guard("delete from t -- all\n").sql()).isEqualTo("delete from t where fencing_token < ? -- all\n");
	}

	@Test
	void argumentsAndTokenGoToTheirSlots() {
		assertThat(bind("update t set a = ?, b = ? where c = ? and d = ?", 7, "a", "b", "c", "d")).containsExactly("a",
				"b", 7L, "c", "d", 7L);
		assertThat(bind("update t set a = 1", 7)).containsExactly(7L, 7L);
		assertThat(bind("delete from t where a = ?", 7, (Object) null)).containsExactly(null, 7L);
		assertThat(bind("insert into t (a, b) values (?, ?), (3, ?)", 7, 1, 2, 4)).containsExactly(1, 2, 7L, 4, 7L);
		assertThat(bind("update t set a = '?' where b = /* ? */ ? -- ?", 7, "b")).containsExactly(7L, "b", 7L);
		assertThat(bind("update t set a = ? where b ?? 'k' and c = ?", 7, "a", "c")).containsExactly("a", 7L, "c", 7L);
	}

	@Test
	void argumentsOfTheCallerAreNotChanged() {
		Object[] arguments = { 1, 2 };
		GuardedStatement statement = guard("update t set a = ? where b = ?");
		assertThat(statement.bind(arguments, 7)).containsExactly(1, 7L, 2, 7L);
		assertThat(statement.bind(arguments, 8)).containsExactly(1, 8L, 2, 8L);
		assertThat(arguments).containsExactly(1, 2);
	}

	@Test
	void wrongNumberOfArgumentsIsAMistakeInTheCall() {
		GuardedStatement statement = guard("update t set a = ? where b = ?");
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> statement.bind(new Object[] { 1 }, 7))
			.withMessageContaining("2 placeholders, but 1 arguments")
			.withMessageContaining("??");
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> statement.bind(new Object[] { 1, 2, 3 }, 7));
	}

	@Test
	void queryForRefusedRowsHasTheConditionAndItsArguments() {
		LockingQuery query = guard("update t as p set a = ?, b = ? where p.c = ? or d = ? -- end").refusedRows();
		assertThat(query).isNotNull();
		assertThat(query.sql()).isEqualTo("select fencing_token from t as p where (p.c = ? or d = ?)"
				+ " and (fencing_token >= ? or fencing_token is null) for update");
		assertThat(query.bind(new Object[] { "a", "b", "c", "d" }, 7)).containsExactly("c", "d", 7L);
	}

	@Test
	void queryForRefusedRowsOfAStatementWithoutCondition() {
		LockingQuery query = guard("delete from t").refusedRows();
		assertThat(query).isNotNull();
		assertThat(query.sql())
			.isEqualTo("select fencing_token from t where (fencing_token >= ? or fencing_token is null) for update");
		assertThat(query.bind(new Object[0], 7)).containsExactly(7L);
		assertThat(guard("insert into t (a) values (1)").refusedRows()).isNull();
	}

	@Test
	void backticksAndBackslashesAreRightForH2() {
		assertThat(GuardedStatement.of("UPDATE `a&b` SET p='C:\\' WHERE q='D:\\' // ?", SqlDialect.H2, "tok").sql())
			.isEqualTo("UPDATE `a&b` SET p='C:\\', tok = ? WHERE (q='D:\\') and tok < ? // ?");
	}

	private static GuardedStatement guard(String sql) {
		return GuardedStatement.of(sql, SqlDialect.POSTGRESQL, "fencing_token");
	}

	private static @Nullable Object[] bind(String sql, long token, @Nullable Object... arguments) {
		return guard(sql).bind(arguments, token);
	}

}
