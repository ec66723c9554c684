package dev.fencing.docs;

import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.fail;

/**
 * What is in Kotlin stands in the sources of {@code kotlin-tests} as well, where it is
 * compiled and run.
 */
final class KotlinSnippets implements SnippetChecker {

	@Override
	public void check(Snippet snippet) {
		String wanted = withoutIndentation(snippet.text());
		boolean found = Project.sources(".kt")
			.stream()
			.map(Project::read)
			.anyMatch((source) -> withoutIndentation(source).contains(wanted));
		if (!found) {
			fail("%s: no source of kotlin-tests has these lines: put them into one of the tests there%n%s",
					snippet.place(), snippet.text());
		}
	}

	/**
	 * Lines that end where they end here, in front of which anything may be.
	 */
	private static String withoutIndentation(String text) {
		return text.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
	}

}
