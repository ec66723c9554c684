package dev.fencing.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.fencing.docs.MarkdownFile.Span;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that links between files of the project lead somewhere.
 */
class LinkTests {

	private final Map<String, MarkdownFile> documents = Project.documents()
		.stream()
		.collect(Collectors.toMap(MarkdownFile::name, Function.identity()));

	@Test
	void everyLinkLeadsToAFileAndAHeading() {
		List<String> checked = new ArrayList<>();
		List<String> broken = new ArrayList<>();
		for (MarkdownFile document : this.documents.values()) {
			for (Span link : document.links()) {
				if (!link.text().matches("\\w+:.*")) {
					checked.add(link.text());
					String problem = problem(document, link.text());
					if (problem != null) {
						broken.add("%s:%d: %s: %s".formatted(document.name(), link.line(), link.text(), problem));
					}
				}
			}
		}
		assertThat(broken).isEmpty();
		assertThat(checked).hasSizeGreaterThan(20);
	}

	private @Nullable String problem(MarkdownFile document, String link) {
		String[] parts = link.split("#", 2);
		Path from = Project.ROOT.resolve(document.name());
		Path target = parts[0].isEmpty() ? from : from.resolveSibling(parts[0]).normalize();
		if (!Files.exists(target)) {
			return "there is no such file";
		}
		if (parts.length > 1) {
			MarkdownFile linked = this.documents.get(Project.name(target));
			Set<String> anchors = (linked != null) ? linked.anchors() : Set.of();
			return anchors.contains(parts[1]) ? null : "there is no such heading among " + anchors;
		}
		return null;
	}

}
