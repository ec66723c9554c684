package dev.fencing.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;

/**
 * A script that creates a table of ours.
 */
final class SchemaScript {

	private final DatabasePlatform platform;

	private final ResourceLoader resourceLoader;

	private final String prefix;

	private final String location;

	private final String defaultTable;

	private final String table;

	/**
	 * Create a script.
	 * @param platform the kind of database
	 * @param resourceLoader finds the script
	 * @param prefix what the names of its properties begin with
	 * @param location where it is
	 * @param defaultTable the table that the script of ours creates
	 * @param table the table that is wanted
	 */
	SchemaScript(DatabasePlatform platform, ResourceLoader resourceLoader, String prefix, String location,
			String defaultTable, String table) {
		this.platform = platform;
		this.resourceLoader = resourceLoader;
		this.prefix = prefix;
		this.location = location;
		this.defaultTable = defaultTable;
		this.table = table;
	}

	String location() {
		return this.platform.resolve(this.location);
	}

	/**
	 * Return the script as a migration would have it, for the table that is wanted.
	 */
	String text() {
		Resource resource = this.resourceLoader.getResource(location());
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8)
				.replace("IF NOT EXISTS ", "")
				.replace(this.defaultTable, this.table);
		}
		catch (IOException ex) {
			return "(%s.schema names the script %s, which cannot be read: %s)%n".formatted(this.prefix, resource,
					ex.getMessage());
		}
	}

	/**
	 * Return what to do instead of running the script by hand, as a sentence.
	 * @param flyway where the script is a migration of Flyway, possibly with a
	 * placeholder for the platform
	 * @param liquibase where it is part of a changelog of Liquibase
	 */
	String alternative(String flyway, String liquibase) {
		return this.table.equalsIgnoreCase(this.defaultTable) ? """
				Or set fencing.jdbc.initialize-schema to always, add classpath:%s to spring.flyway.locations, or \
				include %s in a changelog of Liquibase.""".formatted(this.platform.resolve(flyway), liquibase)
				: "Or let %s.schema name a script that creates it, with fencing.jdbc.initialize-schema=always."
					.formatted(this.prefix);
	}

}
