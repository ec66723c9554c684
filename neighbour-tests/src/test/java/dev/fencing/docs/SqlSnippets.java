package dev.fencing.docs;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.jdbc.FencedJdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in SQL runs on PostgreSQL. Our own tables are those of the scripts in the jar,
 * and what a statement becomes is what is sent.
 */
final class SqlSnippets implements SnippetChecker {

	private static final String FORMS_START = "<!-- statement forms: written by StatementFormsDocumentTests -->";

	private static final String FORMS_END = "<!-- end of statement forms -->";

	private static final String FORMS_TEST = "fencing-spring-boot-autoconfigure/src/test/java/dev/fencing/jdbc/StatementFormsDocumentTests.java";

	private static final Pattern OUR_TABLE = Pattern
		.compile("(?i)create table (?:if not exists )?(FENCING_GENERATION|FENCING_REJECTION)\\b");

	private static final Pattern NEW_COLUMN = Pattern.compile("(?i)alter table (\\w+) add column (\\w+)");

	private static final Pattern BECOMES = Pattern.compile("```sql\\n((?:(?!```).)*?)```\\s+becomes\\s*\\z",
			Pattern.DOTALL);

	private boolean tablesCreated;

	@Override
	public void check(Snippet snippet) throws Exception {
		if (isGenerated(snippet)) {
			assertThat(Project.read(FORMS_TEST)).as("%s: the test that compares it", snippet.place())
				.contains(FORMS_START, FORMS_END);
			return;
		}
		createTables();
		Matcher becomes = BECOMES.matcher(snippet.before());
		if (becomes.find()) {
			checkSent(snippet, becomes.group(1).strip());
		}
		try (Connection connection = RunningApplication.get().bean(DataSource.class).getConnection()) {
			connection.setAutoCommit(false);
			try {
				run(snippet, connection);
			}
			catch (SQLException ex) {
				throw new AssertionError("%s: PostgreSQL refuses it: %s".formatted(snippet.place(), ex.getMessage()),
						ex);
			}
			finally {
				connection.rollback();
			}
		}
	}

	/**
	 * Whether another test writes and compares this part of the document.
	 */
	private static boolean isGenerated(Snippet snippet) {
		return snippet.before().contains(FORMS_START) && !snippet.before().contains(FORMS_END);
	}

	private void createTables() {
		if (!this.tablesCreated) {
			new ResourceDatabasePopulator(new ClassPathResource("neighbour/docs/tables.sql"))
				.execute(RunningApplication.get().bean(DataSource.class));
			this.tablesCreated = true;
		}
	}

	private static void checkSent(Snippet snippet, String original) {
		RunningApplication application = RunningApplication.get();
		Object[] arguments = original.chars().filter((character) -> character == '?').mapToObj((i) -> 1).toArray();
		application.bean(FencedLockTemplate.class)
			.executeWithoutResult(LockRequest.of("parcel").key(1),
					(context) -> application.bean(FencedJdbcTemplate.class).update(original, arguments));
		assertThat(application.sent()).as("%s: what '%s' becomes", snippet.place(), original)
			.contains(snippet.text().strip());
	}

	private static void run(Snippet snippet, Connection connection) throws SQLException {
		String sql = snippet.text().strip();
		try (Statement statement = connection.createStatement()) {
			Matcher table = OUR_TABLE.matcher(sql);
			if (table.find()) {
				statement.execute("drop table " + table.group(1));
				assertThat(normalized(sql)).as("%s: the script in the jar", snippet.place())
					.isEqualTo(normalized(script(table.group(1))));
			}
			Matcher column = NEW_COLUMN.matcher(sql);
			if (column.find()) {
				statement.execute("alter table %s drop column %s".formatted(column.group(1), column.group(2)));
			}
			if (!sql.contains("?")) {
				statement.execute(sql);
				return;
			}
		}
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			assertThat(statement.getParameterMetaData().getParameterCount()).as(snippet.place()).isPositive();
		}
	}

	private static String script(String table) {
		String name = table.equalsIgnoreCase("FENCING_GENERATION") ? "schema" : "rejection-schema";
		return Project.read("fencing-spring-boot-autoconfigure/src/main/resources/dev/fencing/jdbc/%s-postgresql.sql"
			.formatted(name));
	}

	private static String normalized(String sql) {
		return sql.replaceAll("\\s+", " ")
			.strip()
			.replaceFirst("(?i)create table if not exists", "create table")
			.toLowerCase(Locale.ROOT);
	}

}
