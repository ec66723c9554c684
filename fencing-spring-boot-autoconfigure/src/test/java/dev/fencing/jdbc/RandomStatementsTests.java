package dev.fencing.jdbc;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.Splices.Splice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Guards statements that were made at random.
 */
@ParameterizedClass
@EnumSource
class RandomStatementsTests {

	private static final int STATEMENTS = 50_000;

	private static final long TOKEN = 42_000_001;

	private final long seed = Long.getLong("fencing.test.seed", System.nanoTime());

	private final SqlDialect dialect;

	private final RandomStatements statements;

	RandomStatementsTests(SqlDialect dialect) {
		this.dialect = dialect;
		this.statements = new RandomStatements(dialect, this.seed);
	}

	@Test
	void statementsOfGuardableFormsAreGuardedAndOtherwiseUnchanged() {
		for (int i = 0; i < STATEMENTS / 2; i++) {
			String sql = this.statements.guardable();
			GuardedStatement guarded = guard(sql);
			assertThat(guarded).as("guarded form of %s (seed %d)", sql, this.seed).isNotNull();
			assertThat(guarded.arguments()).as("placeholders of %s (seed %d)", sql, this.seed)
				.isEqualTo(this.statements.placeholders());
			assertUnchangedApartFromSplices(sql, guarded);
			assertTokensInTheirSlots(sql, guarded);
		}
	}

	@Test
	void statementsOfAnyFormAreEitherGuardedOrRefused() {
		int guarded = 0;
		for (int i = 0; i < STATEMENTS / 2; i++) {
			String sql = this.statements.any();
			GuardedStatement statement = guard(sql);
			if (statement != null) {
				assertUnchangedApartFromSplices(sql, statement);
				assertTokensInTheirSlots(sql, statement);
				guarded++;
			}
		}
		assertThat(guarded).as("statements guarded (seed %d)", this.seed)
			.isBetween(STATEMENTS / 10, STATEMENTS / 2 - 1);
	}

	private @Nullable GuardedStatement guard(String sql) {
		try {
			return Guarding.guard(sql, this.dialect);
		}
		catch (UnguardableStatementException ex) {
			return null;
		}
	}

	private void assertUnchangedApartFromSplices(String sql, GuardedStatement guarded) {
		StringBuilder remaining = new StringBuilder(guarded.sql());
		for (Splice splice : guarded.splices()) {
			int end = splice.offset() + splice.inserted().length();
			assertThat(remaining.substring(splice.offset(), end)).isEqualTo(splice.inserted());
			remaining.delete(splice.offset(), end);
		}
		assertThat(remaining.toString()).as("without splices (seed %d)", this.seed).isEqualTo(sql);
		assertThat(literals(guarded.sql())).as("literals of %s (seed %d)", guarded.sql(), this.seed)
			.isEqualTo(literals(sql));
	}

	/**
	 * Reads the guarded statement anew: what follows the column in it must be ours, and
	 * the statement's own arguments must keep their order.
	 */
	private void assertTokensInTheirSlots(String sql, GuardedStatement guarded) {
		@Nullable Object[] arguments = IntStream.range(0, guarded.arguments()).boxed().toArray();
		@Nullable Object[] bound = guarded.bind(arguments, TOKEN);
		SqlText text = Guarding.read(guarded.sql(), this.dialect);
		assertThat(bound).as("binds of %s (seed %d)", guarded.sql(), this.seed).hasSize(text.arguments());
		assertThat(Arrays.stream(bound).filter(Integer.class::isInstance).toArray()).isEqualTo(arguments);
		assertThat(Arrays.stream(bound).filter(Long.class::isInstance).count())
			.isEqualTo(guarded.splices().stream().mapToInt(Splice::placeholders).sum());
		int placeholder = 0;
		int ours = 0;
		for (int i = 0; i < text.size(); i++) {
			if (text.is(i, SqlToken.Kind.PLACEHOLDER)) {
				if (i > 1 && text.isWord(i - 2, "fencing_token")) {
					assertThat(bound[placeholder]).as("slot %d of %s", placeholder, guarded.sql()).isEqualTo(TOKEN);
					ours++;
				}
				placeholder++;
			}
		}
		switch (guarded.kind()) {
			case UPDATE -> assertThat(ours).as("stamp and guard of %s", sql).isEqualTo(2);
			case DELETE -> assertThat(ours).as("guard of %s", sql).isEqualTo(1);
			case INSERT -> assertThat(ours).as("no comparison in %s", sql).isZero();
		}
	}

	private List<String> literals(String sql) {
		SqlText text = Guarding.read(sql, this.dialect);
		return IntStream.range(0, text.size())
			.filter((i) -> text.is(i, SqlToken.Kind.STRING) || text.is(i, SqlToken.Kind.ESCAPE_STRING))
			.mapToObj(text::text)
			.toList();
	}

}
