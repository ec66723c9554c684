package dev.fencing.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.dao.DataAccessException;

import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.JdbcGenerationRegistry;
import dev.fencing.jdbc.RegistryDialect;

/**
 * Knows the kind of the fenced database and the script that creates its registry.
 */
final class RegistrySchema {

	private static final String PLATFORM_PLACEHOLDER = "@@platform@@";

	private final FencedDataSource dataSource;

	private final FencingProperties.Jdbc properties;

	private final ResourceLoader resourceLoader;

	private volatile @Nullable RegistryDialect dialect;

	RegistrySchema(FencedDataSource dataSource, FencingProperties.Jdbc properties, ResourceLoader resourceLoader) {
		this.dataSource = dataSource;
		this.properties = properties;
		this.resourceLoader = resourceLoader;
	}

	/**
	 * Return the dialect, asking the database for its name when first called.
	 */
	RegistryDialect dialect() {
		RegistryDialect known = this.dialect;
		if (known == null) {
			String product = (this.properties.getPlatform() != null) ? this.properties.getPlatform()
					: this.dataSource.productName();
			known = RegistryDialect.forProduct(product);
			if (known == null) {
				throw new FencingConfigurationException(
						"The database '%s' is not supported: no stale owner could be refused by it.".formatted(product),
						"Use one of %s. For a database that is compatible with one of them, set fencing.jdbc.platform."
							.formatted(platforms()));
			}
			this.dialect = known;
		}
		return known;
	}

	String location() {
		return this.properties.getSchema().replace(PLATFORM_PLACEHOLDER, dialect().platform());
	}

	/**
	 * Check that the registry is there and can be read.
	 */
	void verify(JdbcGenerationRegistry registry) {
		String table = this.properties.getTableName();
		dialect();
		try {
			registry.verify();
		}
		catch (DataAccessException ex) {
			FencingConfigurationException failure = new FencingConfigurationException("""
					The generation registry, table %s, cannot be read: no owner could be registered, and no stale one \
					refused. The database said: %s""".formatted(table, ex.getMostSpecificCause().getMessage()), """
					Create the table, for instance as the Flyway migration V1__fencing_generation.sql:

					%s
					%s The application's database user needs the right to select, insert and update it."""
				.formatted(script(table), alternative(table)));
			failure.initCause(ex);
			throw failure;
		}
	}

	private static String alternative(String table) {
		return table.equalsIgnoreCase(JdbcGenerationRegistry.DEFAULT_TABLE_NAME)
				? "Or set fencing.jdbc.initialize-schema to always."
				: "Or let fencing.jdbc.schema name a script that creates it, with fencing.jdbc.initialize-schema=always.";
	}

	private String script(String table) {
		Resource resource = this.resourceLoader.getResource(location());
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8)
				.replace("IF NOT EXISTS ", "")
				.replace(JdbcGenerationRegistry.DEFAULT_TABLE_NAME, table);
		}
		catch (IOException ex) {
			return "(fencing.jdbc.schema names the script %s, which cannot be read: %s)%n".formatted(resource,
					ex.getMessage());
		}
	}

	private static String platforms() {
		return Arrays.stream(RegistryDialect.values()).map(RegistryDialect::platform).collect(Collectors.joining(", "));
	}

}
