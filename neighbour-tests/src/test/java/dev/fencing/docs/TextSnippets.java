package dev.fencing.docs;

import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.fail;

/**
 * What is plain text is something's output: its beginning tells whose.
 */
final class TextSnippets implements SnippetChecker {

	private final Map<String, SnippetChecker> checkers = Map.of("UNFENCED (", new RaceText(), "WARN  Rejected: ",
			new RejectionText(), "fence_", new MeterText());

	@Override
	public void check(Snippet snippet) throws Exception {
		SnippetChecker checker = checker(snippet.text());
		if (checker == null) {
			fail("%s: nothing is known that prints '%s'; a text begins with one of %s, or TextSnippets learns of it",
					snippet.place(), snippet.lines().get(0),
					this.checkers.keySet().stream().sorted().collect(Collectors.toList()));
		}
		else {
			checker.check(snippet);
		}
	}

	private @Nullable SnippetChecker checker(String text) {
		return this.checkers.entrySet()
			.stream()
			.filter((entry) -> text.startsWith(entry.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

}
