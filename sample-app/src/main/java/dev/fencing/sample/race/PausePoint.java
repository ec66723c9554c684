package dev.fencing.sample.race;

import java.util.Arrays;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

import dev.fencing.sample.web.BadRequestException;

/**
 * Where worker A pauses, inside its lease and its transaction.
 */
enum PausePoint {

	BEFORE_READ("beforeRead", "before its read"),

	BEFORE_WRITE("beforeWrite", "between read and write"),

	BEFORE_COMMIT("beforeCommit", "between write and commit");

	private final String text;

	private final String description;

	PausePoint(String text, String description) {
		this.text = text;
		this.description = description;
	}

	static PausePoint of(@Nullable String text) {
		if (text == null) {
			return BEFORE_WRITE;
		}
		return Arrays.stream(values())
			.filter((point) -> point.text.equals(text))
			.findFirst()
			.orElseThrow(() -> new BadRequestException("The pause is none of " + allowed()));
	}

	private static String allowed() {
		return Arrays.stream(values()).map(PausePoint::text).collect(Collectors.joining(", "));
	}

	@JsonValue
	String text() {
		return this.text;
	}

	String description() {
		return this.description;
	}

}
