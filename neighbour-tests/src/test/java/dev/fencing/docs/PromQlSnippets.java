package dev.fencing.docs;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Prometheus is asked stands on the page for operators, of which tests in the sample
 * compare each expression with what a running application gives out.
 */
final class PromQlSnippets implements SnippetChecker {

	private static final String PAGE = "docs/operations.md";

	private static final String TESTS = "sample-app/src/test/java/dev/fencing/sample/operations/";

	@Override
	public void check(Snippet snippet) {
		assertThat(snippet.file()).as("%s: the page whose expressions are tested", snippet.place()).isEqualTo(PAGE);
		assertThat(Project.read(TESTS + "MetricNamesTests.java")).as(snippet.place())
			.contains("missing(this.page.examples(\"promql\"))");
		assertThat(Project.read(TESTS + "Documents.java")).as(snippet.place()).contains("\"operations.md\"");
	}

}
