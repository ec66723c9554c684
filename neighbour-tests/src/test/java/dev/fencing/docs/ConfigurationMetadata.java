package dev.fencing.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The properties that the jars on the class path describe, as editors know them.
 */
final class ConfigurationMetadata {

	private static final String[] FILES = { "META-INF/spring-configuration-metadata.json",
			"META-INF/additional-spring-configuration-metadata.json" };

	private final Map<String, Property> properties = new TreeMap<>();

	ConfigurationMetadata() {
		try {
			for (String file : FILES) {
				for (URL url : Collections.list(getClass().getClassLoader().getResources(file))) {
					read(url);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read(URL url) throws IOException {
		try (InputStream content = url.openStream()) {
			for (JsonNode property : JsonMapper.shared().readTree(content).path("properties")) {
				this.properties.putIfAbsent(property.path("name").asString(),
						new Property(property.path("name").asString(), property.path("type").asString(""),
								property.path("sourceType").asString(null), property.has("deprecation")));
			}
		}
	}

	/**
	 * Find the property that a key sets, or an entry of.
	 * @param key in its canonical form, without indexes
	 */
	Optional<Property> find(String key) {
		Property property = this.properties.get(key);
		for (int end = key.length(); property == null && end > 0;) {
			end = key.lastIndexOf('.', end - 1);
			Property owner = (end > 0) ? this.properties.get(key.substring(0, end)) : null;
			property = (owner != null && owner.type().startsWith("java.util.Map<")) ? owner : null;
		}
		return Optional.ofNullable(property);
	}

	/**
	 * A property.
	 *
	 * @param name its name
	 * @param type what its value is converted to
	 * @param sourceType the class that has it, if there is one
	 * @param deprecated whether something else should be used
	 */
	record Property(String name, String type, @Nullable String sourceType, boolean deprecated) {
	}

}
