package dev.fencing.docs;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in JSON is an answer of the endpoint, with all of its fields.
 */
final class JsonSnippets implements SnippetChecker {

	@Override
	public void check(Snippet snippet) {
		JsonNode json = parse(snippet);
		Class<?> answer = ReportFields.ANSWERS.stream()
			.filter((type) -> !type.getRecordComponents()[0].getName().equals("resource")
					? json.has(type.getRecordComponents()[0].getName())
					: json.has(type.getRecordComponents()[1].getName()))
			.findFirst()
			.orElseThrow(() -> new AssertionError("%s: none of the endpoint's answers begins with %s"
				.formatted(snippet.place(), new ArrayList<>(json.propertyNames()))));
		List<String> differences = ReportFields.differences(answer.getSimpleName(), json, answer);
		assertThat(differences).as(snippet.place()).isEmpty();
	}

	private static JsonNode parse(Snippet snippet) {
		try {
			return JsonMapper.shared().readTree(snippet.text());
		}
		catch (JacksonException ex) {
			throw new AssertionError("%s: %s".formatted(snippet.place(), ex.getOriginalMessage()), ex);
		}
	}

}
