package dev.fencing.docs;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests that every snippet of every document is compiled, run or compared: one whose
 * language nobody checks fails.
 */
class SnippetTests {

	private static final Map<String, SnippetChecker> CHECKERS = Map.ofEntries(Map.entry("java", new JavaSnippets()),
			Map.entry("kotlin", new KotlinSnippets()), Map.entry("yaml", new YamlSnippets()),
			Map.entry("properties", new PropertiesSnippets()), Map.entry("xml", new XmlSnippets()),
			Map.entry("sql", new SqlSnippets()), Map.entry("shell", new ShellSnippets()),
			Map.entry("json", new JsonSnippets()), Map.entry("promql", new PromQlSnippets()),
			Map.entry("text", new TextSnippets()));

	@TestFactory
	Stream<DynamicContainer> everySnippetIsRight() {
		return Project.documents()
			.stream()
			.map((document) -> DynamicContainer.dynamicContainer(document.name(),
					document.snippets().stream().map(SnippetTests::test)));
	}

	/**
	 * A block that is not found is not checked either.
	 */
	@Test
	void everyFenceBelongsToASnippet() {
		assertThat(Project.documents()).extracting(MarkdownFile::name)
			.contains("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/guarantees.md", "docs/operations.md");
		for (MarkdownFile document : Project.documents()) {
			List<String> fences = Project.read(document.name()).lines().filter((line) -> line.contains("```")).toList();
			assertThat(fences).as(document.name()).hasSize(2 * document.snippets().size());
		}
	}

	private static DynamicTest test(Snippet snippet) {
		URI source = Project.ROOT.resolve(snippet.file()).toUri();
		return DynamicTest.dynamicTest(snippet.toString(), source, () -> check(snippet));
	}

	private static void check(Snippet snippet) throws Exception {
		SnippetChecker checker = CHECKERS.get(snippet.language());
		if (checker == null) {
			fail("%s: nothing checks blocks of the language '%s'; there are %s", snippet.place(), snippet.language(),
					CHECKERS.keySet().stream().sorted().toList());
		}
		else {
			checker.check(snippet);
		}
	}

}
