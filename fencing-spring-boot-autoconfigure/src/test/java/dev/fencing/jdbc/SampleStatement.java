package dev.fencing.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

import dev.fencing.testsupport.TestDatabase;

/**
 * A statement in a shape that a framework or a person writes, from
 * {@code samples/statements-<database>.sql}: a line that starts with {@code --#} and
 * names the origin of the shape, the statement as it is sent, and if it has placeholders
 * a line that starts with {@code --?} and holds its arguments as a JSON array. A text
 * that looks like a date, a time or a UUID is one, an inner array is an array of the
 * database.
 *
 * @param database where it runs
 * @param line the line of its file that names its origin
 * @param origin where the shape comes from
 * @param sql the statement
 * @param arguments its arguments
 */
record SampleStatement(TestDatabase database, int line, String origin, String sql, List<@Nullable Object> arguments) {

	private static final String ORIGIN = "--# ";

	private static final String ARGUMENTS = "--? ";

	private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");

	private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d");

	private static final Pattern IDENTIFIER = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

	private static final JsonMapper json = new JsonMapper();

	static ClassPathResource setUp(TestDatabase database) {
		return resource("statements-setup-", database);
	}

	/**
	 * Read all statements for a database.
	 */
	static List<SampleStatement> readAll(TestDatabase database) {
		List<String> lines;
		try {
			lines = resource("statements-", database).getContentAsString(StandardCharsets.UTF_8).lines().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		List<SampleStatement> samples = new ArrayList<>();
		int end = lines.size();
		for (int i = lines.size() - 1; i >= 0; i--) {
			if (lines.get(i).startsWith(ORIGIN)) {
				samples.add(0, read(database, i + 1, lines.subList(i, end)));
				end = i;
			}
		}
		return samples;
	}

	private static SampleStatement read(TestDatabase database, int line, List<String> lines) {
		String origin = lines.get(0).substring(ORIGIN.length());
		String last = lines.get(lines.size() - 1);
		if (!last.startsWith(ARGUMENTS)) {
			return new SampleStatement(database, line, origin, text(lines.subList(1, lines.size())), List.of());
		}
		List<@Nullable Object> arguments = new ArrayList<>();
		json.readTree(last.substring(ARGUMENTS.length())).forEach((argument) -> arguments.add(argument(argument)));
		return new SampleStatement(database, line, origin, text(lines.subList(1, lines.size() - 1)), arguments);
	}

	private static String text(List<String> lines) {
		return String.join("\n", lines);
	}

	private static @Nullable Object argument(JsonNode node) {
		if (node.isArray()) {
			List<@Nullable Object> elements = new ArrayList<>();
			node.forEach((element) -> elements.add(argument(element)));
			return elements.toArray();
		}
		if (node.isString()) {
			return text(node.stringValue());
		}
		if (node.isIntegralNumber()) {
			return node.canConvertToInt() ? (Object) node.intValue() : (Object) node.longValue();
		}
		if (node.isNumber()) {
			return new BigDecimal(node.asString());
		}
		return node.isBoolean() ? node.booleanValue() : null;
	}

	private static Object text(String text) {
		if (DATE.matcher(text).matches()) {
			return Date.valueOf(LocalDate.parse(text));
		}
		if (TIME.matcher(text).matches()) {
			return Timestamp.valueOf(LocalDateTime.parse(text));
		}
		return IDENTIFIER.matcher(text).matches() ? UUID.fromString(text) : text;
	}

	private static ClassPathResource resource(String prefix, TestDatabase database) {
		String name = "samples/" + prefix + database.name().toLowerCase(Locale.ROOT) + ".sql";
		return new ClassPathResource(name, SampleStatement.class);
	}

	SqlDialect dialect() {
		return switch (this.database) {
			case POSTGRESQL -> SqlDialect.POSTGRESQL;
			case H2 -> SqlDialect.H2;
			case MARIADB -> SqlDialect.MYSQL;
		};
	}

	@Override
	public String toString() {
		return "%s:%d %s".formatted(this.database, this.line, this.origin);
	}

}
