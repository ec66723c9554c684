package dev.fencing.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StoredText}.
 */
class StoredTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "document:42", " ", "größe/日本 😀", "a\r\n\t" })
	void ordinaryTextStaysAsItIs(String text) {
		assertThat(StoredText.fit(text, 40)).isSameAs(text);
	}

	@Test
	void longestTextStaysAsItIs() {
		assertThat(StoredText.fit("x".repeat(40), 40)).isEqualTo("x".repeat(40));
		assertThat(StoredText.fit("x".repeat(41), 40)).matches("x{23}~[0-9a-f]{16}");
	}

	@Test
	void noCharacterIsCutInTwo() {
		assertThat(StoredText.fit("x" + "😀".repeat(30), 40)).matches("x(😀){11}~[0-9a-f]{16}");
		assertThat(StoredText.fit("😀".repeat(30), 40)).matches("(😀){11}~[0-9a-f]{16}");
	}

	@Test
	void whatCannotBeStoredIsReplaced() {
		assertThat(StoredText.fit("a\u0000b", 40)).matches("a\uFFFDb~[0-9a-f]{16}");
		assertThat(StoredText.fit("a\uD83Db", 40)).matches("a\uFFFDb~[0-9a-f]{16}");
		assertThat(StoredText.fit("\uDE00", 40)).matches("\uFFFD~[0-9a-f]{16}");
		assertThat(StoredText.fit("", 40)).isEqualTo("-");
	}

	@Test
	void differentTextsStayDifferent() {
		assertThat(new String[] { StoredText.fit("\u0000", 40), StoredText.fit("\uD83D", 40),
				StoredText.fit("\uDE00", 40), StoredText.fit("x".repeat(41), 40), StoredText.fit("x".repeat(42), 40) })
			.doesNotHaveDuplicates();
	}

	@Test
	void asciiIsWhatEveryCharacterSetHas() {
		assertThat(StoredText.ascii("a\r\n\t", 40)).isEqualTo("a\r\n\t");
		assertThat(StoredText.ascii("größe:日\t1", 40)).matches("gr\\?\\?e:\\?\t1~[0-9a-f]{16}");
		assertThat(StoredText.ascii("a\u0000😀", 40)).matches("a\\?\\?~[0-9a-f]{16}");
		assertThat(StoredText.ascii("ä".repeat(50), 40)).matches("\\?{23}~[0-9a-f]{16}");
		assertThat(StoredText.ascii("x".repeat(50), 40)).isEqualTo(StoredText.fit("x".repeat(50), 40));
		assertThat(StoredText.ascii("", 40)).isEqualTo("-");
	}

	@Test
	void differentTextsStayDifferentInAscii() {
		assertThat(new String[] { StoredText.ascii("document:ä", 40), StoredText.ascii("document:ö", 40),
				StoredText.ascii("document:?", 40) })
			.doesNotHaveDuplicates();
	}

}
