package dev.fencing.docs;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/**
 * What is in a properties file are properties of Spring Boot or ours.
 */
final class PropertiesSnippets implements SnippetChecker {

	private final PropertyRules rules = new PropertyRules();

	@Override
	public void check(Snippet snippet) throws Exception {
		Properties properties = new Properties();
		properties.load(new StringReader(snippet.text()));
		Map<String, String> values = new LinkedHashMap<>();
		properties.stringPropertyNames().forEach((name) -> values.put(name, properties.getProperty(name)));
		this.rules.check(snippet.place(), values);
	}

}
