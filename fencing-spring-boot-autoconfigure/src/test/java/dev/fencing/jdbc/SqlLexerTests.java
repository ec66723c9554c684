package dev.fencing.jdbc;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.fencing.UnguardableStatementException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SqlLexer}.
 */
class SqlLexerTests {

	@ParameterizedTest
	@EnumSource
	void wordsNumbersAndSymbolsAreApart(SqlDialect dialect) {
		assertThat(tokens("set a_1=1.5e-3,b=x$y+0x1F", dialect)).containsExactly("set", "a_1", "=", "1.5e-3", ",", "b",
				"=", "x$y", "+", "0x1F");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MYSQL")
	void backslashInAStandardLiteralIsAnOrdinaryCharacter(SqlDialect dialect) {
		assertThat(tokens("'C:\\' x 'D:\\'", dialect)).containsExactly("'C:\\'", "x", "'D:\\'");
	}

	@ParameterizedTest
	@EnumSource
	void doubledQuotesBelongToTheLiteral(SqlDialect dialect) {
		assertThat(tokens("'it''s ?' \"a\"\"b\" ''", dialect)).containsExactly("'it''s ?'", "\"a\"\"b\"", "''");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MYSQL")
	void commentsAreNoTokens(SqlDialect dialect) {
		assertThat(tokens("a -- ' ?\n b /* ? /* ' */ ; */ c /*+ hint */ --", dialect)).containsExactly("a", "b", "c");
		assertThat(tokens("a -- x\r b", dialect)).containsExactly("a", "b");
	}

	@Test
	void commentsOfMySqlDoNotNestAndMayStartWithAHash() {
		assertThat(tokens("a # ' ?\n b -- ' ?\n c /* ? ' */ d /*+ hint */ --", SqlDialect.MYSQL)).containsExactly("a",
				"b", "c", "d");
	}

	@Test
	void backslashEscapesInEveryLiteralOfMySql() {
		assertThat(tokens("'it\\'s ?' N'\\\\' \"a\\\"?\" _utf8'x''?'", SqlDialect.MYSQL)).containsExactly("'it\\'s ?'",
				"N", "'\\\\'", "\"a\\\"?\"", "_utf8", "'x''?'");
		assertThat(tokens("@a := @b + `c``d`", SqlDialect.MYSQL)).containsExactly("@", "a", ":", "=", "@", "b", "+",
				"`c``d`");
	}

	@Test
	void tokenParameterIsAPlaceholderOfItsOwn() {
		SqlText text = SqlLexer.read("a = ? and b < :fencingToken and c = ? and ':fencingToken' = ?",
				SqlDialect.POSTGRESQL, List.of(3));
		assertThat(text.tokens()).extracting(SqlToken::kind)
			.filteredOn(SqlToken.Kind.TOKEN_PLACEHOLDER::equals)
			.hasSize(2);
		assertThat(text.arguments()).isEqualTo(2);
		assertRefused("a = :fencingTokens", SqlDialect.POSTGRESQL, "named parameter");
	}

	@Test
	void slashesStartACommentInH2Only() {
		assertThat(tokens("a // b ?\n c", SqlDialect.H2)).containsExactly("a", "c");
		assertThat(tokens("a // b", SqlDialect.POSTGRESQL)).containsExactly("a", "/", "/", "b");
	}

	@Test
	void escapeStringEndsBehindItsEscapes() {
		assertThat(tokens("= E'it\\'s ''?' x", SqlDialect.POSTGRESQL)).containsExactly("=", "E'it\\'s ''?'", "x");
		assertThat(tokens("E'a\\' x", SqlDialect.H2)).containsExactly("E", "'a\\'", "x");
	}

	@Test
	void nationalBitAndUnicodeStringsAreReadAsStandardOnes() {
		assertThat(tokens("N'a\\' B'01' X'ff' U&'\\0041'", SqlDialect.POSTGRESQL)).containsExactly("N", "'a\\'", "B",
				"'01'", "X", "'ff'", "U", "&", "'\\0041'");
	}

	@Test
	void dollarQuotesEndAtTheirOwnTag() {
		assertThat(tokens("$q$ ' $$ ? $q$ $$ WHERE $$", SqlDialect.POSTGRESQL)).containsExactly("$q$ ' $$ ? $q$",
				"$$ WHERE $$");
		assertThat(tokens("$$ ' ? $$", SqlDialect.H2)).containsExactly("$$ ' ? $$");
		assertThat(tokens("a$$b", SqlDialect.POSTGRESQL)).containsExactly("a$$b");
	}

	@Test
	void bareQuestionMarkIsAPlaceholderAndTwoAreAnOperator() {
		SqlText text = Guarding.read("a ?? 'k' and b ??| ? and c ??& ? or d ?| ?", SqlDialect.POSTGRESQL);
		assertThat(text.arguments()).isEqualTo(4);
		assertThat(IntStream.range(0, text.size()).mapToObj(text::text)).filteredOn("??"::equals).hasSize(3);
	}

	@Test
	void bracketsCountTheDepth() {
		SqlText text = Guarding.read("f(a[1], (b)) c", SqlDialect.POSTGRESQL);
		assertThat(text.tokens().stream().map(SqlToken::depth)).containsExactly(0, 0, 1, 1, 2, 1, 1, 1, 2, 1, 0, 0);
		assertThat(text.closing(1)).isEqualTo(10);
		assertThat(text.closing(3)).isEqualTo(5);
	}

	@Test
	void backticksQuoteInH2() {
		assertThat(tokens("`a``b ?`", SqlDialect.H2)).containsExactly("`a``b ?`");
		assertRefused("`a`", SqlDialect.POSTGRESQL, "backtick");
	}

	@Test
	void arraysAndSubscriptsAreNoQuotedNames() {
		assertThat(tokens("ARRAY[[1,?],[x[1:n],3]]::int[]", SqlDialect.POSTGRESQL)).contains("[", ":", "::");
		assertRefused("set [my column] = 1", SqlDialect.H2, "square bracket");
	}

	@Test
	void castsAndJsonKeysAreNoNamedParameters() {
		assertThat(tokens("a::text || '::b'", SqlDialect.POSTGRESQL)).containsExactly("a", "::", "text", "|", "|",
				"'::b'");
		assertThat(tokens("json_object('k':v, x:y)", SqlDialect.H2)).contains(":");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a = :name", "a=:name", "(:name)", "where:name" })
	void namedParametersAreRefused(String sql) {
		assertRefused(sql, SqlDialect.POSTGRESQL, "named parameter");
	}

	@ParameterizedTest
	@ValueSource(strings = { "'a", "'a''", "\"a", "$$ a $", "$x$ a $y$", "E'a\\'", "/* a", "/* /* */" })
	void whatDoesNotEndIsRefused(String sql) {
		assertRefused(sql, SqlDialect.POSTGRESQL, "is not closed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "(a", "a)", "(a]", "f(a))", "a[1", "(;)" })
	void bracketsThatDoNotMatchAreRefused(String sql) {
		assertRefused(sql, SqlDialect.POSTGRESQL, "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/*/ ? */", "'a'E'\\''", "E'a'\n'\\' ?'", "U&\"\\0061\"", "a\u00a0b", "a\u0000",
			"a\u000bb", "?1", "$1", "1where", "1e5where", "5$$", "a \\ b" })
	void whatDriverAndDatabaseMayReadDifferentlyIsRefused(String sql) {
		assertRefused(sql, SqlDialect.POSTGRESQL, "");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a ?? b", "?2", "$1", "$x$ a $x$", "a # b" })
	void whatH2DoesNotKnowIsRefused(String sql) {
		assertRefused(sql, SqlDialect.H2, "");
	}

	@Test
	void lettersOfAllLanguagesMakeWords() {
		assertThat(tokens("größe=日本語", SqlDialect.POSTGRESQL)).containsExactly("größe", "=", "日本語");
	}

	private static List<String> tokens(String sql, SqlDialect dialect) {
		SqlText text = Guarding.read(sql, dialect);
		return IntStream.range(0, text.size()).mapToObj(text::text).toList();
	}

	private static void assertRefused(String sql, SqlDialect dialect, String reason) {
		assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> Guarding.read(sql, dialect))
			.withMessageContaining(reason)
			.withMessageContaining("line ");
	}

}
