package dev.fencing.neighbour;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The starter brings nothing along that an application with Spring Boot's starters for
 * JDBC and Redis does not have anyway.
 */
class StarterDependenciesTests {

	@Test
	void starterBringsTheTwoStartersOfSpringBoot() throws Exception {
		assertThat(broughtBy("fencing-spring-boot-starter")).containsExactlyInAnyOrder(
				"dev.fencing:fencing-spring-boot-autoconfigure",
				"org.springframework.boot:spring-boot-starter-data-redis",
				"org.springframework.boot:spring-boot-starter-jdbc");
	}

	@Test
	void codeNeedsOnlyWhatTheseBringAlong() throws Exception {
		assertThat(broughtBy("fencing-spring-boot-autoconfigure")).containsExactlyInAnyOrder("org.jspecify:jspecify",
				"org.springframework.boot:spring-boot-autoconfigure", "org.springframework:spring-aop",
				"org.springframework:spring-jdbc", "org.springframework:spring-tx");
	}

	private static Set<String> broughtBy(String module) throws Exception {
		Element project = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(Path.of("..", module, "pom.xml").toFile())
			.getDocumentElement();
		Set<String> brought = new TreeSet<>();
		NodeList dependencies = project.getElementsByTagName("dependency");
		for (int i = 0; i < dependencies.getLength(); i++) {
			Element dependency = (Element) dependencies.item(i);
			boolean ofTheProject = dependency.getParentNode().getParentNode() == project;
			if (ofTheProject && !"test".equals(text(dependency, "scope"))
					&& !"true".equals(text(dependency, "optional"))) {
				brought.add(text(dependency, "groupId") + ":" + text(dependency, "artifactId"));
			}
		}
		return brought;
	}

	private static String text(Element element, String name) {
		NodeList found = element.getElementsByTagName(name);
		return (found.getLength() > 0) ? found.item(0).getTextContent().strip() : "";
	}

}
