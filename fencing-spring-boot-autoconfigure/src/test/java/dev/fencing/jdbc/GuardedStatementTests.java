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
					update t set a=1 where id=? returning id, fencing_token -- c | update t set a=1, fencing_token = ? where (id=?) and fencing_token < ? returning id, fencing_token -- c
					update t set a=1 returning *;                 | update t set a=1, fencing_token = ? where fencing_token < ? returning *;
					update t p set a=v.a from unnest(?::int[], ?::text[]) as v(id, a) where p.id=v.id or p.b | update t p set a=v.a, fencing_token = ? from unnest(?::int[], ?::text[]) as v(id, a) where (p.id=v.id or p.b) and p.fencing_token < ?
					update s.t set a=1 from u                     | update s.t set a=1, fencing_token = ? from u where t.fencing_token < ?
					with x as (select 1) update "T" set a=1 from x returning a | with x as (select 1) update "T" set a=1, fencing_token = ? from x where "T".fencing_token < ? returning a
					with recursive x (a) as not materialized (values (?)), y as (table x) delete from t where a in (table y) | with recursive x (a) as not materialized (values (?)), y as (table x) delete from t where (a in (table y)) and fencing_token < ?
					delete from t using u, v where t.a=u.a and t.b in (select fencing_token from w) | delete from t using u, v where (t.a=u.a and t.b in (select fencing_token from w)) and t.fencing_token < ?
					delete from t returning *                     | delete from t where fencing_token < ? returning *
					insert into t (a, b) select distinct a, b from u where c | insert into t (a, b, fencing_token) select distinct a, b, cast(? as bigint) from u where c
					insert into t (a) select a is distinct from b from u union all select extract(year from d)from v | insert into t (a, fencing_token) select a is distinct from b, cast(? as bigint) from u union all select extract(year from d), cast(? as bigint) from v
					insert into t (a) with x as (select 1 as a) select u.from from x returning id | insert into t (a, fencing_token) with x as (select 1 as a) select u.from, cast(? as bigint) from x returning id
					insert into t (a) select distinct on (a, b) a from u on conflict do nothing | insert into t (a, fencing_token) select distinct on (a, b) a, cast(? as bigint) from u on conflict do nothing
					insert into s.t(a,b) values(?,?) on conflict (a,b) do update set b=excluded.b, hits=t.hits+1 returning id | insert into s.t(a,b, fencing_token) values(?,?, ?) on conflict (a,b) do update set b=excluded.b, hits=t.hits+1, fencing_token = excluded.fencing_token where t.fencing_token < excluded.fencing_token returning id
					insert into t as x (a) values (1),(?) on conflict (a) where b do update set a=2 where x.c or x.d | insert into t as x (a, fencing_token) values (1, ?),(?, ?) on conflict (a) where b do update set a=2, fencing_token = excluded.fencing_token where (x.c or x.d) and x.fencing_token < excluded.fencing_token
					insert into t (a, b) select id procedure, id qualify from u | insert into t (a, b, fencing_token) select id procedure, id qualify, cast(? as bigint) from u
					update t set a=1 from u where u.fencing_token > 0 | update t set a=1, fencing_token = ? from u where (u.fencing_token > 0) and t.fencing_token < ?
					insert into t (a) (select b from u where (c)) returning a | insert into t (a, fencing_token) (select b, cast(? as bigint) from u where (c)) returning a
					insert into t (a) select 1 from u join conflict on conflict.b=u.b | insert into t (a, fencing_token) select 1, cast(? as bigint) from u join conflict on conflict.b=u.b
					update t set fencing_token=:fencingToken, a=? where b=? and fencing_token<:fencingToken | update t set fencing_token=?, a=? where b=? and fencing_token<?
					update t p set a=1, fencing_token=? from u where (p.a=u.a) and (? > p.fencing_token) | update t p set a=1, fencing_token=? from u where (p.a=u.a) and (? > p.fencing_token)
					delete from t where a=:fencingToken and t.fencing_token < :fencingToken | delete from t where a=? and t.fencing_token < ?
					insert into t (fencing_token, a) values (:fencingToken, ?) | insert into t (fencing_token, a) values (?, ?)
					insert into t (a, fencing_token) values (1, ?) on conflict (a) do update set fencing_token=excluded.fencing_token where t.fencing_token < excluded.fencing_token | insert into t (a, fencing_token) values (1, ?) on conflict (a) do update set fencing_token=excluded.fencing_token where t.fencing_token < excluded.fencing_token
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
			.isThrownBy(() -> statement.checkArguments(new Object[] { 1 }))
			.withMessageContaining("2 placeholders, but 1 arguments")
			.withMessageContaining("??");
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> statement.checkArguments(new Object[] { 1, 2, 3 }));
	}

	@Test
	void queryForRefusedRowsHasTheConditionAndItsArguments() {
		LockingQuery query = guard("update t as p set a = ?, b = ? where p.c = ? or d = ? -- end").refusedRows();
		assertThat(query).isNotNull();
		assertThat(query.query().sql()).isEqualTo("select fencing_token from t as p where (p.c = ? or d = ?)"
				+ " and (fencing_token >= ? or fencing_token is null) for update");
		assertThat(query.query().bind(new Object[] { "a", "b", "c", "d" }, 6, 7)).containsExactly("c", "d", 7L);
	}

	@Test
	void queryForRefusedRowsOfAStatementWithoutCondition() {
		LockingQuery query = guard("delete from t").refusedRows();
		assertThat(query).isNotNull();
		assertThat(query.query().sql())
			.isEqualTo("select fencing_token from t where (fencing_token >= ? or fencing_token is null) for update");
		assertThat(query.query().bind(new Object[0], 6, 7)).containsExactly(7L);
		assertThat(guard("insert into t (a) values (1)").refusedRows()).isNull();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^',
			textBlock = """
					update t p set a = ? from u where u.b = ? and p.c is null | \
					select p.fencing_token from t p, u where (u.b = ? and p.c is null) and \
					(p.fencing_token >= ? or p.fencing_token is null) for update of p | ?1 <
					with x as (select ? as a) update t set a = ? from x where b = ? | \
					with x as (select ? as a) select t.fencing_token from t, x where (b = ?) and \
					(t.fencing_token >= ? or t.fencing_token is null) for update of t | ?0 ?2 <
					delete from t using u | select t.fencing_token from t, u where \
					(t.fencing_token >= ? or t.fencing_token is null) for update of t | <
					update t set fencing_token = :fencingToken, a = ? where b = ? and fencing_token < :fencingToken and c = ? | \
					select fencing_token from t where (b = ? and \
					(fencing_token >= ? or fencing_token is null) and c = ?) for update | ?1 < ?2
					delete from t where a = :fencingToken and :fencingToken > fencing_token | select fencing_token from t where \
					(a = ? and (fencing_token >= ? or fencing_token is null) ) for update | = <
					insert into t (a, b, c) values (?, ?, ?), (?, 5, ?) on conflict (b, a) where d do update set c = 1 where t.e | \
					select t.fencing_token from t where ((t.b = ? and t.a = ?) or (t.b = 5 and t.a = ?)) and (d) and \
					(t.fencing_token >= ? or t.fencing_token is null) for update of t | ?1 ?0 ?3 <
					insert into t as x (a, b) select ?, c from u on conflict (a) do update set b = 1 | \
					select x.fencing_token from t as x, (select a, b from t where false union all (select ?, c from u)) \
					fencing_source (fencing_1, fencing_2) \
					where (x.a = fencing_source.fencing_1) and (x.fencing_token >= ? or x.fencing_token is null) for update of x | ?0 <
					""")
	void queryForRefusedRowsMeansTheRowsOfTheStatement(String sql, String query, String slots) {
		LockingQuery refused = guard(sql).refusedRows();
		assertThat(refused).isNotNull();
		assertThat(refused.query().sql()).isEqualTo(query);
		Object[] bound = refused.query().bind(new Object[] { "?0", "?1", "?2", "?3", "?4" }, 7, 8);
		assertThat(bound)
			.extracting((slot) -> Long.valueOf(7).equals(slot) ? "=" : Long.valueOf(8).equals(slot) ? "<" : slot)
			.containsExactly((Object[]) slots.split(" "));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^',
			textBlock = """
							UPDATE `a&b` SET note='it\\'s ?' WHERE id=? # c | UPDATE `a&b` SET note='it\\'s ?', fencing_token = ? WHERE (id=?) and fencing_token < ? # c
							update t set a="it\\"s ?" where b='' or c | update t set a="it\\"s ?", fencing_token = ? where (b='' or c) and fencing_token < ?
							insert ignore into t (a) values (?) | insert ignore into t (a, fencing_token) values (?, ?)
							insert into t set a=? as n on duplicate key update a=n.a | insert into t set a=?, fencing_token = ? as n on duplicate key update a=if(t.fencing_token < ?, n.a, t.a), t.fencing_token = if(t.fencing_token < ?, ?, if((@fencing_refused := concat(?, ':', coalesce(t.fencing_token, 'null'))) is null, t.fencing_token, t.fencing_token))
					insert into t set a=?, b=2 | insert into t set a=?, b=2, fencing_token = ?
							insert into t (a) select b from u | insert into t (a, fencing_token) select b, cast(? as signed) from u
							insert into t (a) values (?) returning a | insert into t (a, fencing_token) values (?, ?) returning a
							insert into d.t (a,b) values (?,?) as n on duplicate key update b=n.b,t.c=c+1 | insert into d.t (a,b, fencing_token) values (?,?, ?) as n on duplicate key update b=if(t.fencing_token < ?, n.b, t.b),t.c=if(t.fencing_token < ?, c+1, t.c), t.fencing_token = if(t.fencing_token < ?, ?, if((@fencing_refused := concat(?, ':', coalesce(t.fencing_token, 'null'))) is null, t.fencing_token, t.fencing_token))
							""")
	void formsOfMySqlAreGuarded(String sql, String guarded) {
		assertThat(Guarding.guard(sql, SqlDialect.MYSQL).sql()).isEqualTo(guarded);
	}

	@Test
	void readingThatDependsOnTheModeIsKnown() {
		assertThat(Guarding.guard("update t set a = 'it\\'s'", SqlDialect.MYSQL).backslashMatters()).isTrue();
		assertThat(Guarding.guard("update t set a = 'C:\\\\ ''x'", SqlDialect.MYSQL).backslashMatters()).isFalse();
		assertThat(Guarding.guard("update t set a = 'C:\\'", SqlDialect.H2).backslashMatters()).isFalse();
	}

	@Test
	void applicationsOwnTokenMustBeOneOfTheAcquisition() {
		GuardedStatement statement = guard("update t set a = ?, fencing_token = ? where id = ? and fencing_token < ?");
		assertThat(statement.ownToken(new Object[] { "a", 7_000_001L, 1, 7_000_001L }, 7)).isEqualTo(7_000_001L);
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> statement.ownToken(new Object[] { "a", 7_000_001L, 1, 7_000_002L }, 7));
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> statement.ownToken(new Object[] { "a", 7_000_001L, 1, 7_000_001L }, 8));
		assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
			.isThrownBy(() -> statement.ownToken(new Object[] { "a", null, 1, null }, 7))
			.withMessageContaining(":fencingToken");
		assertThat(guard("delete from t where a = ?").ownToken(new Object[] { 1 }, 7)).isNull();
	}

	@Test
	void backticksAndBackslashesAreRightForH2() {
		assertThat(Guarding.guard("UPDATE `a&b` SET p='C:\\' WHERE q='D:\\' // ?", SqlDialect.H2).sql())
			.isEqualTo("UPDATE `a&b` SET p='C:\\', fencing_token = ? WHERE (q='D:\\') and fencing_token < ? // ?");
	}

	private static GuardedStatement guard(String sql) {
		return Guarding.guard(sql, SqlDialect.POSTGRESQL);
	}

	private static @Nullable Object[] bind(String sql, long token, @Nullable Object... arguments) {
		return guard(sql).bind(arguments, token);
	}

}
