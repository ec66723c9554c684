package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.BitSet;
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
			assertThat(remaining.substring(splice.offset(), end)).isEqualTo(inserted(splice));
			remaining.delete(splice.offset(), end);
		}
		assertThat(remaining.toString()).as("without splices (seed %d)", this.seed)
			.isEqualTo(sql.replace(":fencingToken", "?"));
		assertThat(literals(guarded.sql(), inserted(guarded))).as("literals of %s (seed %d)", guarded.sql(), this.seed)
			.isEqualTo(literals(sql, new BitSet()));
	}

	private static String inserted(Splice splice) {
		return splice.inserted().replace(BoundSqlBuilder.TOKEN, "?");
	}

	/**
	 * Reads the guarded statement anew: the placeholders in what was put in must be ours,
	 * and the statement's own arguments must keep their order.
	 */
	private void assertTokensInTheirSlots(String sql, GuardedStatement guarded) {
		@Nullable Object[] arguments = IntStream.range(0, guarded.arguments()).boxed().toArray();
		@Nullable Object[] bound = guarded.bind(arguments, TOKEN);
		SqlText text = Guarding.read(guarded.sql(), this.dialect);
		BitSet ours = inserted(guarded);
		List<@Nullable Object> expected = new ArrayList<>();
		int argument = 0;
		for (SqlToken token : text.tokens()) {
			if (token.kind() == SqlToken.Kind.PLACEHOLDER) {
				expected.add(ours.get(token.start()) ? (Object) TOKEN : (Object) argument++);
			}
		}
		assertThat(bound).as("binds of %s, from %s (seed %d)", guarded.sql(), sql, this.seed)
			.isEqualTo(expected.toArray());
		assertThat(guarded.splices()).as("what was put into %s (seed %d)", sql, this.seed).isNotEmpty();
	}

	/**
	 * Return where in the guarded statement that is which was put in.
	 */
	private static BitSet inserted(GuardedStatement guarded) {
		BitSet ours = new BitSet();
		int shift = 0;
		for (Splice splice : guarded.splices()) {
			ours.set(splice.offset() + shift, splice.offset() + shift + splice.inserted().length());
			shift += splice.inserted().length();
		}
		return ours;
	}

	private List<String> literals(String sql, BitSet leftOut) {
		SqlText text = Guarding.read(sql, this.dialect);
		return IntStream.range(0, text.size())
			.filter((i) -> text.is(i, SqlToken.Kind.STRING) || text.is(i, SqlToken.Kind.ESCAPE_STRING))
			.filter((i) -> !leftOut.get(text.tokens().get(i).start()))
			.mapToObj(text::text)
			.toList();
	}

}
