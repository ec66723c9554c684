package dev.fencing.jdbc;

import java.util.List;

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
			with x as (delete from t) update t set a = 1          | 12 | second write
			with x as (with y as (select 1) delete from t returning 1) update t set a = 1 | 33 | second write
			update t set a = (select count(*) from final table (delete from u)) | 53 | second write
			with x (a, b) delete from t                            | 15 | WITH that is not
			with x as (select 1) select * from x                  | 22 | query
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
			update t set a = 1 from u from v                       | 27 | second FROM
			update t set a = 1 from                                | 24 | FROM without
			update t set a = 1 returning id where id = 1          | 33 | not expected
			update t set a = 1 where b = 2 order by c limit 10    | 32 | limit
			update t set a = 1 limit 10                           | 20 | limit
			update t set a = 1 where b = 2 fetch first row only   | 32 | limit
			update t join u on u.id = t.id set a = 1              | 10 | not expected
			update t, u set t.a = 1                               | 9  | not expected
			update t a b set c = 1                                | 12 | not expected
			update t where a = 1                                  | 10 | SET is expected
			update t                                              | 9  | SET is expected
			update t set                                          | 13 | SET without
			update t set where a = 1                              | 14 | SET without
			update t set a = 1 where                              | 25 | WHERE without
			update t set a = 1 where b = 1 where c = 1            | 32 | second WHERE
			update t set a = 1 where current of c                 | 26 | cursor
			update (select * from t) set a = 1                    | 8  | name of a table
			update t set a = 1, fencing_token = 0                 | 21 | other than the token
			update t set a = 1, (b, fencing_token) = (1, 2)       | 21 | other than the token
			update t set a = 1 where "FENCING_TOKEN" < ?          | 26 | does not set
			insert into t (a, fencing_token) values (1, 2)        | 42 | not stamped
			delete t where a = 1                                  | 8  | FROM
			delete p from t p join u on u.id = p.id               | 8  | FROM
			delete from t using                                   | 20 | USING without
			delete from t join u on a = b                         | 15 | not expected
			delete from t where a = 1 limit 5                     | 27 | limit
			insert t (a) values (1)                               | 8  | INTO
			insert into t values (1)                              | 15 | column list
			insert into t default values                          | 15 | column list
			insert into t set a = 1                               | 15 | column list
			insert into t select * from u                         | 15 | column list
			insert into t (select * from u)                       | 15 | column list
			insert into t (a) select b, from u                    | 29 | missing
			insert into t (a) select from u                      | 26 | missing
			insert into t (a) select b from u union (select 1)    | 41 | SELECT is expected
			insert into t (a) select b from u union values (1)    | 41 | SELECT is expected
			insert into t (a) (select b from u) union (select 1)  | 37 | not expected
			insert into t (a) with x as (select 1) table x        | 40 | SELECT is expected
			insert into t (a) table u                             | 19 | VALUES or SELECT
			insert into t (a)                                     | 18 | VALUES or SELECT
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
			insert into t (a) values (1) on conflict on constraint c do update set a = 2 | 42 | not named
			insert into t (a) values (1) on conflict (lower(a)) do update set a = 2 | 43 | other than columns
			insert into t (a) values (1) on conflict (b) do update set a = 2 | 43 | column list
			insert into t (a) values (default) on conflict (a) do update set a = 2 | 27 | not given
			insert into t (a, b) values (1) on conflict (b) do update set a = 2 | 31 | fewer values
			insert into t (a) values (1) on conflict (a) do update | 46 | not guarded
			insert into t (a) values (1) on conflict (a) do update set | 46 | not guarded
			insert into t (a) values (1) on conflict (a) x do update set a = 1 | 30 | too much
			insert into t (a) values (1) on duplicate key update a = 2 | 30 | not guarded
			update t set a = 'x where id = 1                      | 18 | not closed
			update t set a = 1 /* where id = 1                    | 20 | not closed
			update t set a = :a where id = :id                    | 18 | named parameter
			update t set a = 1 where (b = 1) or c = 2) and (d = 3 | 42 | bracket
			""")
	void refusalNamesReasonAndColumn(String sql, int column, String reason) {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard(sql, SqlDialect.POSTGRESQL))
			.withMessageContaining(reason)
			.withMessageContaining("at line 1, column " + column + ".")
			.withMessageContaining("Nothing was sent")
			.withMessageEndingWith(sql);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^',
			textBlock = """
					update t set fencing_token = :fencingToken where id = 1                          | demand       | 50
					update t set a = 1 where id = 1 and fencing_token < :fencingToken                | does not set | 37
					update t set a = :fencingToken                                                   | does not set | 18
					update t set fencing_token = :fencingToken                                       | no WHERE     | 14
					update t set fencing_token = :fencingToken where a = 1 or fencing_token < :fencingToken | demand | 50
					update t set fencing_token = :fencingToken where fencing_token <= :fencingToken  | demand       | 50
					update t set fencing_token = :fencingToken where not fencing_token < :fencingToken | demand     | 50
					update t set fencing_token = :fencingToken where a.fencing_token < :fencingToken | demand       | 50
					update t set fencing_token = :fencingToken + 1 where fencing_token < :fencingToken | other      | 14
					update t set fencing_token = 0 where fencing_token < :fencingToken               | other        | 14
					update t set fencing_token = ?, fencing_token = ? where fencing_token < ?        | other        | 33
					update t set fencing_token = ? from u where fencing_token < ?                    | demand       | 45
					delete from t using u where fencing_token < ?                                    | demand       | 29
					delete from t where id = :fencingToken                                           | demand       | 21
					insert into t (a) values (:fencingToken)                                         | column list  | 27
					insert into t (a, fencing_token) values (1, :fencingToken), (2, 3)               | not stamped  | 62
					insert into t (a, fencing_token) select 1, ?                                     | SELECT       | 19
					insert into t (a, fencing_token) values (1, ?) on conflict (a) do update set a = 2 | does not set | 19
					insert into t (a, fencing_token) values (1, ?) on conflict (a) do update set fencing_token = ? | no WHERE | 48
					insert into t (a, fencing_token) values (1, ?) on conflict (a) do update set fencing_token = ? where fencing_token < ? | demand | 102
					""")
	void ownGuardThatDoesNotGuardIsRefused(String sql, String reason, int column) {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard(sql, SqlDialect.POSTGRESQL))
			.withMessageContaining(reason)
			.withMessageContaining("column " + column + ".")
			.withMessageContaining("leave the token out");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
			update t join u on u.id = t.id set a = 1               | not expected
			update t, u set t.a = 1                                | not expected
			update ignore t set a = 1                              | modifier
			update t set a = 1 limit 1                             | limit
			delete t from t join u                                 | FROM
			delete from t using t join u                           | joins
			replace into t (a) values (1)                          | REPLACE
			insert into t (a) values (1) on conflict do nothing    | not guarded
			insert into t (a) values (1) on duplicate key update a = default | DEFAULT
			insert into t (a) values (1) on duplicate key update   | not guarded
			insert into t (a) values (1) on duplicate key update (a) | column = expression
			insert into t (a) values (1) as n(b) on duplicate key update a = 1 | another row
			insert into t (a, fencing_token) values (1, ?) on duplicate key update a = 1 | leave the token out
			update t set offset = 1                                | in quotes
			update t set a = 1 where "fencing_token" < ?           | does not set
			update t set a = 1 /*! , b = 2 */                      | runs what stands
			update t set a = 1 /*M! , b = 2 */                     | runs what stands
			update t set a = 1 /* /* */                            | inside a comment
			update t set a = 1--1                                  | no comment
			update "t" set a = 1                                   | name of a table
			update t set a = $b                                    | '$'
			""")
	void whatMySqlWouldDoOtherwiseIsRefused(String sql, String reason) {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard(sql, SqlDialect.MYSQL))
			.withMessageContaining(reason);
	}

	@Test
	void commentThatMySqlDoesNotEndWithACarriageReturnIsRefused() {
		for (String comment : List.of("-- all\r", "# all\r", "-- all\r where a = 2 \n")) {
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> Guarding.guard("update t set a = 1 " + comment + "where id = 1", SqlDialect.MYSQL))
				.withMessageContaining("carriage return");
		}
		assertThat(Guarding.guard("update t set a = 1 -- all\r\nwhere id = 1", SqlDialect.MYSQL)).isNotNull();
		assertThat(Guarding.guard("update t set a = 1 -- all\rwhere id = 1", SqlDialect.POSTGRESQL)).isNotNull();
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard("update t set a = 1 --\u2003x", SqlDialect.MYSQL));
	}

	@Test
	void writeBehindAnyClauseOfAWithIsRefused() {
		for (String clause : List.of("search depth first by n set o", "cycle n set c using p", "")) {
			String sql = """
					with gone as (with recursive t (n) as (select 1 union all select n + 1 from t) %s \
					delete from u where id in (select n from t) returning id) \
					update t set a = 1 where id in (select id from gone)""".formatted(clause);
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> Guarding.guard(sql, SqlDialect.POSTGRESQL))
				.withMessageContaining("second write");
		}
	}

	@Test
	void aliasThatIsTakenForAClauseIsRefused() {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard("insert into t (a, b) select id window, id from u", SqlDialect.MYSQL))
			.withMessageContaining("called like a clause");
	}

	@Test
	void ownGuardOfAnotherColumnIsRefused() {
		String sql = "update t set %1$s = :fencingToken where %1$s < :fencingToken";
		for (String column : List.of("fencing_token", "FENCING_TOKEN", "\"fencing_token\"")) {
			assertThat(Guarding.guard(sql.formatted(column), SqlDialect.POSTGRESQL)).isNotNull();
		}
		assertThat(Guarding.guard(sql.formatted("\"FENCING_TOKEN\""), SqlDialect.H2)).isNotNull();
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard(sql.formatted("\"FENCING_TOKEN\""), SqlDialect.POSTGRESQL));
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard(sql.formatted("\"fencing_token\""), SqlDialect.H2));
	}

	@Test
	void orOperatorOfMySqlMakesAnOwnGuardAnAlternative() {
		String sql = "update t set fencing_token = ? where a = 1 || b and fencing_token < ?";
		assertThat(Guarding.guard(sql, SqlDialect.POSTGRESQL)).isNotNull();
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard(sql, SqlDialect.MYSQL));
	}

	@Test
	void positionCountsLines() {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard("update t\nset a = 1\n  returning id", SqlDialect.H2))
			.withMessageContaining("at line 3, column 3.");
	}

	@Test
	void wayOutNamesWhatToCall() {
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard("merge into t", SqlDialect.H2))
			.withMessageContaining("nextToken()");
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> Guarding.guard("insert into t values (1)", SqlDialect.H2))
			.withMessageContaining("INSERT INTO table (columns) VALUES");
	}

	@Test
	void longStatementIsShownAroundThePosition() {
		String sql = "update t set a = '" + "x".repeat(9000) + "' returning id" + " ".repeat(9000);
		UnguardableStatementException refusal = StatementRefusal.at(sql, sql.indexOf("returning"), "r", "w");
		assertThat(refusal.getMessage()).contains("returning id").hasSizeLessThan(3000);
	}

}
