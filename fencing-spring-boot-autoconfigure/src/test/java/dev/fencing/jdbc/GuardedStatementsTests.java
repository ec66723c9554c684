package dev.fencing.jdbc;

import org.junit.jupiter.api.Test;

import dev.fencing.UnguardableStatementException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardedStatements}.
 */
class GuardedStatementsTests {

	private final GuardedStatements statements = new GuardedStatements(SqlDialect.H2, "fencing_token");

	@Test
	void knownTextIsNotReadAgain() {
		GuardedStatement first = this.statements.get("delete from t");
		assertThat(this.statements.get(new String("delete from t"))).isSameAs(first);
	}

	@Test
	void oldStatementsAreForgotten() {
		GuardedStatement first = this.statements.get("delete from t");
		for (int i = 0; i < 2000; i++) {
			this.statements.get("delete from t" + i);
		}
		assertThat(this.statements.get("delete from t")).isNotSameAs(first);
	}

	@Test
	void refusedTextIsRefusedEachTime() {
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.statements.get("truncate table t"));
		}
	}

}
