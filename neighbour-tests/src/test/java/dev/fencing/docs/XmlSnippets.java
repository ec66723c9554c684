package dev.fencing.docs;

import java.util.List;

import org.w3c.dom.Element;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in XML is a part of a pom: our artifacts are those that are published, with
 * their version, and others are ones that some module of ours uses.
 */
final class XmlSnippets implements SnippetChecker {

	private static final List<String> PARTS = List.of("dependency", "dependencies", "plugin", "plugins", "build",
			"dependencyManagement", "properties", "profile");

	private final Poms poms = new Poms();

	@Override
	public void check(Snippet snippet) {
		Element root = parse(snippet);
		assertThat(Poms.children(root)).as(snippet.place())
			.isNotEmpty()
			.allSatisfy((part) -> assertThat(part.getTagName()).as("%s: part of a pom", snippet.place()).isIn(PARTS));
		for (Element artifact : Poms.all(root, "artifactId")) {
			Element owner = (Element) artifact.getParentNode();
			String name = Poms.text(owner, "groupId") + ":" + artifact.getTextContent().strip();
			if (name.startsWith("dev.fencing:")) {
				assertThat(this.poms.published()).as(snippet.place())
					.contains(name + ":" + Poms.text(owner, "version"));
			}
			else {
				assertThat(this.poms.artifacts()).as(snippet.place()).contains(name);
			}
		}
	}

	private static Element parse(Snippet snippet) {
		try {
			return Poms.parse("<snippet>" + snippet.text() + "</snippet>");
		}
		catch (IllegalArgumentException ex) {
			throw new AssertionError("%s is not well-formed: %s".formatted(snippet.place(), ex.getMessage()), ex);
		}
	}

}
