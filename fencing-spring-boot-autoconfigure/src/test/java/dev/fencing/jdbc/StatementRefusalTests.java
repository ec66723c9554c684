package dev.fencing.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.fencing.UnguardableStatementException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what {@link GuardedStatement} refuses, and how.
 */
class StatementRefusalTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
			with x as (delete from t) update t set a = 1          | 1  | WITH
			merge into t using dual on (a = ?) when matched then update set b = 1 | 1 | MERGE
			call proc(?)                                          | 1  | procedure
			{call proc(?)}                                        | 1  | procedure
			do $$ begin delete from t; end $$                     | 1  | block
			truncate table t                                      | 1  | TRUNCATE
			drop table t                                          | 1  | DROP
			create table t (a int)                                | 1  | CREATE
			select * from t                                       | 1  | query
			(update t set a = 1)                                  | 1  | does not start with
			replace into t (a) values (1)                         | 1  | REPLACE
			vacuum                                                | 1  | does not start with
			;                                                     | 1  | empty
			-- nothing                                            | 11 | empty
			update a set x=?; update b set y=?                    | 19 | several statements
			update a set x=1;;                                    | 18 | several statements
			update t set a = 1 from u where u.id = t.id           | 20 | FROM
			update t set a = 1 where id = 1 returning id          | 33 | RETURNING
			update t set a = 1 where b = 2 order by c limit 10    | 32 | limit
			update t set a = 1 limit 10                           | 20 | limit
			update t set a = 1 where b = 2 fetch first row only   | 32 | limit
			update t join u on u.id = t.id set a = 1              | 10 | not expected
			update t, u set t.a = 1                               | 9  | not expected
			update t a b set c = 1                                | 12 | not expected
			update t where a = 1                                  | 10 | SET is expected
			update t                                              | 9  | SET is expected
			update t set                                          | 13 | sets nothing
			update t set where a = 1                              | 14 | sets nothing
			update t set a = 1 where                              | 25 | without a condition
			update t set a = 1 where b = 1 where c = 1            | 32 | second WHERE
			update t set a = 1 where current of c                 | 26 | cursor
			update (select * from t) set a = 1                    | 8  | name of a table
			update t set a = 1, fencing_token = 0                 | 21 | token column
			update t set a = 1 where "FENCING_TOKEN" < ?          | 26 | token column
			update t set a = 1 where b in (select Fencing_Token from u) | 39 | token column
			insert into t (a, fencing_token) values (1, 2)        | 19 | token column
			delete t where a = 1                                  | 8  | FROM
			delete p from t p join u on u.id = p.id               | 8  | FROM
			delete from t using u where u.id = t.id               | 15 | USING
			delete from t where a = 1 returning a                 | 27 | RETURNING
			delete from t join u on a = b                         | 15 | not expected
			delete from t where a = 1 limit 5                     | 27 | limit
			insert t (a) values (1)                               | 8  | INTO
			insert into t values (1)                              | 15 | column list
			insert into t default values                          | 15 | column list
			insert into t set a = 1                               | 15 | column list
			insert into t select * from u                         | 15 | SELECT
			insert into t (select * from u)                       | 15 | column list
			insert into t (a) select b from u                     | 19 | SELECT
			insert into t (a) (select b from u)                   | 19 | not expected
			insert into t (a) with x as (select 1) select * from x | 19 | SELECT
			insert into t (a) table u                             | 19 | SELECT
			insert into t (a)                                     | 18 | VALUES is expected
			insert into t () values ()                            | 16 | missing
			insert into t (a,) values (1)                         | 18 | missing
			insert into t (a) values ()                           | 27 | missing
			insert into t (a) values (1,)                         | 29 | missing
			insert into t (a) values 1, 2                         | 26 | row in brackets
			insert into t (a) values                              | 25 | row in brackets
			insert into t (a) values (1),                         | 30 | row in brackets
			insert into t (a) values (1) + 1                      | 30 | another row
			insert into t (a) values (1) values (2)               | 30 | not expected
			insert into t (a) values (select b from u)            | 27 | query instead of a row
			insert into t (a) values (1) returning id             | 30 | RETURNING
			insert into t (a) values (1) on conflict (a) do update set a = 2 | 30 | ON CONFLICT
			insert into t (a) values (1) on duplicate key update a = 2 | 30 | not guarded
			update t set a = 'x where id = 1                      | 18 | not closed
			update t set a = 1 /* where id = 1                    | 20 | not closed
			update t set a = :a where id = :id                    | 18 | named parameter
			update t set a = 1 where (b = 1) or c = 2) and (d = 3 | 42 | bracket
			""")
	void refusalNamesReasonAndColumn(String sql, int column, String reason) {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> GuardedStatement.of(sql, SqlDialect.POSTGRESQL, "fencing_token"))
			.withMessageContaining(reason)
			.withMessageContaining("at line 1, column " + column + ".")
			.withMessageContaining("Nothing was sent")
			.withMessageEndingWith(sql);
	}

	@Test
	void positionCountsLines() {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(
					() -> GuardedStatement.of("update t\nset a = 1\n  returning id", SqlDialect.H2, "fencing_token"))
			.withMessageContaining("at line 3, column 3.");
	}

	@Test
	void wayOutNamesWhatToCall() {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> GuardedStatement.of("merge into t", SqlDialect.H2, "fencing_token"))
			.withMessageContaining("nextToken()");
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> GuardedStatement.of("insert into t values (1)", SqlDialect.H2, "fencing_token"))
			.withMessageContaining("INSERT INTO table (columns) VALUES");
	}

	@Test
	void longStatementIsShownAroundThePosition() {
		String sql = "update t set a = '" + "x".repeat(9000) + "' returning id" + " ".repeat(9000);
		UnguardableStatementException refusal = StatementRefusal.at(sql, sql.indexOf("returning"), "r", "w");
		assertThat(refusal.getMessage()).contains("returning id").hasSizeLessThan(3000);
	}

}
