package dev.fencing.docs;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * What the poms of the project say.
 */
final class Poms {

	private final List<Element> projects = new ArrayList<>();

	Poms() {
		for (Path pom : Project.poms()) {
			this.projects.add(parse(Project.read(pom)));
		}
	}

	static Element parse(String xml) {
		try {
			return DocumentBuilderFactory.newInstance()
				.newDocumentBuilder()
				.parse(new InputSource(new StringReader(xml)))
				.getDocumentElement();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (SAXException | ParserConfigurationException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/**
	 * Return what is published: group, artifact and version of the modules that are.
	 */
	Set<String> published() {
		Set<String> published = new TreeSet<>();
		for (Element project : this.projects) {
			Element parent = child(project, "parent");
			Element properties = child(project, "properties");
			if (parent != null && (properties == null || !"true".equals(text(properties, "maven.deploy.skip")))) {
				published.add("%s:%s:%s".formatted(text(parent, "groupId"), text(project, "artifactId"),
						text(parent, "version")));
			}
		}
		return published;
	}

	/**
	 * Return the groups and artifacts that are used or named in any of them.
	 */
	Set<String> artifacts() {
		Set<String> artifacts = new TreeSet<>();
		for (Element project : this.projects) {
			for (Element artifact : all(project, "artifactId")) {
				Element owner = (Element) artifact.getParentNode();
				artifacts.add(text(owner, "groupId") + ":" + artifact.getTextContent().strip());
			}
		}
		return artifacts;
	}

	/**
	 * Return the ids of all profiles.
	 */
	Set<String> profiles() {
		Set<String> profiles = new TreeSet<>();
		for (Element project : this.projects) {
			all(project, "profile").forEach((profile) -> profiles.add(text(profile, "id")));
		}
		return profiles;
	}

	/**
	 * Return the modules, those of profiles as well.
	 */
	Set<String> modules() {
		Set<String> modules = new TreeSet<>();
		for (Element project : this.projects) {
			all(project, "module").forEach((module) -> modules.add(module.getTextContent().strip()));
		}
		return modules;
	}

	/**
	 * Return the properties that are set or switch something on.
	 */
	Set<String> properties() {
		Set<String> names = new TreeSet<>();
		for (Element project : this.projects) {
			for (Element properties : all(project, "properties")) {
				children(properties).forEach((property) -> names.add(property.getTagName()));
			}
			for (Element property : all(project, "property")) {
				names.add(text(property, "name"));
			}
		}
		return names;
	}

	static List<Element> all(Element owner, String name) {
		List<Element> elements = new ArrayList<>();
		NodeList nodes = owner.getElementsByTagName(name);
		for (int i = 0; i < nodes.getLength(); i++) {
			elements.add((Element) nodes.item(i));
		}
		return elements;
	}

	static List<Element> children(Element owner) {
		List<Element> children = new ArrayList<>();
		for (Node node = owner.getFirstChild(); node != null; node = node.getNextSibling()) {
			if (node instanceof Element element) {
				children.add(element);
			}
		}
		return children;
	}

	static @Nullable Element child(Element owner, String name) {
		return children(owner).stream().filter((child) -> child.getTagName().equals(name)).findFirst().orElse(null);
	}

	/**
	 * Return the text of a child, or nothing.
	 */
	static String text(Element owner, String name) {
		Element child = child(owner, name);
		return (child != null) ? child.getTextContent().strip() : "";
	}

}
