package dev.fencing.sample.race;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import dev.fencing.FencingTokens;

/**
 * A race as plain text.
 */
final class RaceReport {

	private RaceReport() {
	}

	static String of(RaceResult result) {
		List<RaceEvent> events = result.events();
		Instant start = events.get(0).at();
		return """
				%s: A pauses %s
				%s
				      => "%s": %s
				""".formatted(
				result.fenced() ? "FENCED (the lease has a token, which the database checks)"
						: "UNFENCED (the usual lock, which nothing checks)",
				result.pause().description(),
				events.stream().map((event) -> line(start, event)).collect(Collectors.joining("\n")),
				result.finalTitle(), result.summary());
	}

	private static String line(Instant start, RaceEvent event) {
		return "  %4d ms  %s  %-13s  %s"
			.formatted(Duration.between(start, event.at()).toMillis(), event.worker(), event.event().text(),
					detail(event))
			.stripTrailing();
	}

	private static String detail(RaceEvent event) {
		StringBuilder detail = new StringBuilder();
		if (event.title() != null) {
			detail.append('"').append(event.title()).append("\"  ");
		}
		if (event.token() != null) {
			detail.append("token ").append(show(event.token()));
		}
		if (event.acceptedToken() != null) {
			detail.append(", accepted is ").append(show(event.acceptedToken()));
		}
		if (event.guard() != null) {
			detail.append(" (guard: ").append(event.guard()).append(", reason: ").append(event.reason()).append(')');
		}
		return detail.toString();
	}

	private static String show(String token) {
		return FencingTokens.format(Long.parseLong(token));
	}

}
