package dev.fencing.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.fencing.UnguardableStatementException;
import dev.fencing.jdbc.StatementForm.Example;
import dev.fencing.jdbc.StatementForm.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of statement forms in the documentation is what becomes of the forms.
 */
class StatementFormsDocumentTests {

	private static final Path DOCUMENT = Path.of("..", "docs", "sql.md");

	private static final String START = "<!-- statement forms: written by StatementFormsDocumentTests -->\n";

	private static final String END = "<!-- end of statement forms -->";

	private static final String HOW_TO_WRITE = """
			docs/sql.md does not say what becomes of the statement forms. Write that part anew with
			mvn -pl fencing-spring-boot-autoconfigure test -Dtest=StatementFormsDocumentTests -Dfencing.docs.write=true
			""";

	@Test
	void documentListsTheForms() throws IOException {
		String document = Files.readString(DOCUMENT);
		int start = document.indexOf(START) + START.length();
		int end = document.indexOf(END);
		assertThat(end).isGreaterThanOrEqualTo(start);
		String generated = table() + examples();
		if (Boolean.getBoolean("fencing.docs.write")) {
			Files.writeString(DOCUMENT, document.substring(0, start) + generated + document.substring(end));
			return;
		}
		assertThat(document.substring(start, end)).as(HOW_TO_WRITE).isEqualTo(generated);
	}

	private static String table() {
		StringBuilder table = new StringBuilder(
				"\n| | form | PostgreSQL | H2 | MySQL and MariaDB |\n|--:|---|---|---|---|\n");
		int number = 1;
		for (StatementForm form : StatementForms.ALL) {
			table.append("| %d | %s |".formatted(number++, form.name().replace("|", "\\|")));
			for (SqlDialect dialect : SqlDialect.values()) {
				table.append(" ").append(form.example(dialect).outcome()).append(" |");
			}
			table.append("\n");
		}
		return table.toString();
	}

	private static String examples() {
		StringBuilder examples = new StringBuilder("\n### Examples\n");
		int number = 1;
		for (StatementForm form : StatementForms.ALL) {
			examples.append("\n**%d. %s**\n\n```sql\n".formatted(number++, form.name()));
			byText(form)
				.forEach((text, databases) -> examples.append("-- " + String.join(", ", databases)).append(text));
			examples.append("```\n");
		}
		return examples.append("\n").toString();
	}

	/**
	 * Databases that take a form in the same way are named together.
	 */
	private static Map<String, List<String>> byText(StatementForm form) {
		Map<String, List<String>> byText = new LinkedHashMap<>();
		for (SqlDialect dialect : SqlDialect.values()) {
			Example example = form.example(dialect);
			String text = text(example, dialect);
			if (example.outcome() != Outcome.UNKNOWN) {
				byText.computeIfAbsent(text, (key) -> new ArrayList<>()).add(name(dialect));
			}
		}
		return byText;
	}

	private static String name(SqlDialect dialect) {
		return switch (dialect) {
			case POSTGRESQL -> "PostgreSQL";
			case H2 -> "H2";
			case MYSQL -> "MySQL and MariaDB";
		};
	}

	private static String text(Example example, SqlDialect dialect) {
		String sent;
		try {
			sent = Guarding.guard(example.sql(), dialect).sql();
		}
		catch (UnguardableStatementException ex) {
			assertThat(example.outcome()).as(example.sql()).isEqualTo(Outcome.REFUSED);
			return ": refused, %s\n%s\n".formatted(reason(String.valueOf(ex.getMessage())), example.sql());
		}
		assertThat(example.outcome()).as(example.sql()).isNotEqualTo(Outcome.REFUSED);
		return "\n%s\n-- becomes\n%s\n".formatted(example.sql(), sent);
	}

	private static String reason(String message) {
		return message.substring("Statement cannot be guarded: ".length(), message.indexOf(", at line "));
	}

}
