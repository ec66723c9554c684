package dev.fencing.docs;

import java.util.List;

import static org.assertj.core.api.Assertions.fail;

/**
 * What is in Java compiles against the starter and what is often beside it.
 */
final class JavaSnippets implements SnippetChecker {

	private final JavaSnippetCompiler compiler = new JavaSnippetCompiler();

	@Override
	public void check(Snippet snippet) {
		List<String> errors = this.compiler.compile(snippet);
		if (!errors.isEmpty()) {
			fail("%s does not compile:%n%s", snippet, String.join("\n", errors));
		}
	}

}
