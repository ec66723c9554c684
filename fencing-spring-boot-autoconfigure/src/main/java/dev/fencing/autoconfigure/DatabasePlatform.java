package dev.fencing.autoconfigure;

import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.RegistryDialect;

/**
 * Knows the kind of the fenced database.
 */
final class DatabasePlatform {

	private static final String PLACEHOLDER = "@@platform@@";

	private final FencedDataSource dataSource;

	private final @Nullable String configured;

	private volatile @Nullable RegistryDialect dialect;

	/**
	 * Create a platform.
	 * @param dataSource the fenced database
	 * @param configured what it is said to be; null to ask it
	 */
	DatabasePlatform(FencedDataSource dataSource, @Nullable String configured) {
		this.dataSource = dataSource;
		this.configured = configured;
	}

	/**
	 * Return the dialect, asking the database for its name when first called.
	 */
	RegistryDialect dialect() {
		RegistryDialect known = this.dialect;
		if (known == null) {
			String product = (this.configured != null) ? this.configured : this.dataSource.productName();
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

	/**
	 * Return where a script for this database is.
	 * @param location the location, possibly with a placeholder for the platform
	 */
	String resolve(String location) {
		return location.replace(PLACEHOLDER, dialect().platform());
	}

	private static String platforms() {
		return Arrays.stream(RegistryDialect.values()).map(RegistryDialect::platform).collect(Collectors.joining(", "));
	}

}
