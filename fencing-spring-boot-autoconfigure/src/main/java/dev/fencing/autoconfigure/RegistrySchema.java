package dev.fencing.autoconfigure;

import org.springframework.core.io.ResourceLoader;
import org.springframework.dao.DataAccessException;

import dev.fencing.jdbc.JdbcGenerationRegistry;

/**
 * Knows the script that creates the generation registry, and whether that is there.
 */
final class RegistrySchema {

	private final DatabasePlatform platform;

	private final String table;

	private final SchemaScript script;

	RegistrySchema(DatabasePlatform platform, FencingProperties.Jdbc properties, ResourceLoader resourceLoader) {
		this.platform = platform;
		this.table = properties.getTableName();
		this.script = new SchemaScript(platform, resourceLoader, "fencing.jdbc", properties.getSchema(),
				JdbcGenerationRegistry.DEFAULT_TABLE_NAME, this.table);
	}

	String location() {
		return this.script.location();
	}

	/**
	 * Check that the registry is there and can be read.
	 */
	void verify(JdbcGenerationRegistry registry) {
		this.platform.dialect();
		try {
			registry.verify();
		}
		catch (DataAccessException ex) {
			FencingConfigurationException failure = new FencingConfigurationException("""
					The generation registry, table %s, cannot be read: no owner could be registered, and no stale one \
					refused. The database said: %s""".formatted(this.table, ex.getMostSpecificCause().getMessage()),
					"""
							Create the table, for instance as the Flyway migration V1__fencing_generation.sql:

							%s
							%s The application's database user needs the right to select, insert and update it."""
						.formatted(this.script.text(), this.script.alternative("dev/fencing/flyway/@@platform@@",
								"dev/fencing/liquibase/generation.xml")));
			failure.initCause(ex);
			throw failure;
		}
	}

}
