package dev.fencing.docs;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the sample prints of its races. Times and tokens differ from run to run; the words
 * and the columns are those of the sample.
 */
final class RaceText implements SnippetChecker {

	private static final String SAMPLE = "sample-app/src/main/java/dev/fencing/sample/race/";

	private static final String FORMAT = "  %4d ms  %s  %-13s  %s";

	private static final Pattern HEADING = Pattern.compile("(\\S.*): A pauses (.*)");

	private static final Pattern EVENT = Pattern.compile(" +(\\d+) ms  ([AB])  (\\S+)(?: +(\\S.*))?");

	private static final Pattern END = Pattern.compile(" {6}=> \"[^\"]*\": (?:[AB](?='s update))?(.*)");

	private static final Pattern DETAIL = Pattern.compile(
			"(?:\"[^\"]+\" *)?(?:token \\d{13}\\.\\d+)?(?:, accepted is \\d{13}\\.\\d+)?(?: \\(guard: \\w+, reason: \\w+\\))?");

	private final String sources = Stream.of("RaceReport", "RaceVerdict", "PausePoint", "RaceEventType")
		.map((type) -> Project.read(SAMPLE + type + ".java"))
		.collect(Collectors.joining());

	@Override
	public void check(Snippet snippet) {
		assertThat(this.sources).as("the columns of the sample").contains('"' + FORMAT + '"');
		int number = 0;
		for (String line : snippet.lines()) {
			number++;
			if (!line.isEmpty()) {
				check(snippet.place(number), line);
			}
		}
	}

	private void check(String place, String line) {
		Matcher heading = HEADING.matcher(line);
		Matcher event = EVENT.matcher(line);
		Matcher end = END.matcher(line);
		if (heading.matches()) {
			assertThat(this.sources).as(place).contains('"' + heading.group(1) + '"', '"' + heading.group(2) + '"');
		}
		else if (event.matches()) {
			String detail = (event.group(4) != null) ? event.group(4) : "";
			assertThat(this.sources).as(place).contains("(\"" + event.group(3) + "\")");
			assertThat(detail).as(place).matches(DETAIL);
			assertThat(line).as(place)
				.isEqualTo(FORMAT.formatted(Integer.parseInt(event.group(1)), event.group(2), event.group(3), detail)
					.stripTrailing());
		}
		else {
			assertThat(line).as("%s: a line of a race", place).matches(END);
			assertThat(end.matches()).isTrue();
			assertThat(this.sources).as(place).contains(end.group(1).replaceFirst("^'s update", ""));
		}
	}

}
