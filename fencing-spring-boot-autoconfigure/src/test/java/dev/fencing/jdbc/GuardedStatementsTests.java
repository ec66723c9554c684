package dev.fencing.jdbc;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementCall.Statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardedStatements}.
 */
class GuardedStatementsTests {

	private final GuardedStatements statements = new GuardedStatements(SqlDialect.H2, "fencing_token");

	@Test
	void knownTextIsNotReadAgain() {
		GuardedStatement first = get("delete from t");
		assertThat(get(new String("delete from t"))).isSameAs(first);
	}

	@Test
	void oldStatementsAreForgotten() {
		GuardedStatement first = get("delete from t");
		for (int i = 0; i < 2000; i++) {
			get("delete from t" + i);
		}
		assertThat(get("delete from t")).isNotSameAs(first);
	}

	@Test
	void refusedTextIsRefusedEachTime() {
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> get("truncate table t"));
		}
	}

	private GuardedStatement get(String sql) {
		return this.statements.get(new Statement(sql, List.of()));
	}

}
