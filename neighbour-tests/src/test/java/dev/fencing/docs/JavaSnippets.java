package dev.fencing.docs;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.fail;

/**
 * What is in Java compiles against the starter and what is often beside it.
 */
final class JavaSnippets implements SnippetChecker {

	private final Map<Snippet, List<String>> errors = new JavaSnippetCompiler().compile(all());

	private static List<Snippet> all() {
		return Project.documents()
			.stream()
			.flatMap((document) -> document.snippets().stream())
			.filter((snippet) -> snippet.language().equals("java"))
			.toList();
	}

	@Override
	public void check(Snippet snippet) {
		List<String> errors = this.errors.getOrDefault(snippet, List.of("It was not compiled"));
		if (!errors.isEmpty()) {
			fail("%s does not compile:%n%s", snippet, String.join("\n", errors));
		}
	}

}
