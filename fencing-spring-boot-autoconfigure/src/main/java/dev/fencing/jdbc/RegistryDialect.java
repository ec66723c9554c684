package dev.fencing.jdbc;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The databases that the generation registry may be in.
 *
 * @since 0.1.0
 */
public enum RegistryDialect {

	/**
	 * PostgreSQL.
	 */
	POSTGRESQL("PostgreSQL", "postgresql"),

	/**
	 * H2.
	 */
	H2("H2", "h2"),

	/**
	 * MySQL, from 8.0.17 on.
	 */
	MYSQL("MySQL", "mysql"),

	/**
	 * MariaDB.
	 */
	MARIADB("MariaDB", "mariadb"),

	/**
	 * Microsoft SQL Server. Untested: written from its documentation.
	 */
	SQLSERVER("Microsoft SQL Server", "sqlserver"),

	/**
	 * Oracle Database. Untested: written from its documentation.
	 */
	ORACLE("Oracle", "oracle");

	private final String productName;

	private final String platform;

	RegistryDialect(String productName, String platform) {
		this.productName = productName;
		this.platform = platform;
	}

	/**
	 * Return the dialect for a database.
	 * @param name what the driver calls its product, or the name of its platform
	 * @return the dialect, or null if the database is not supported
	 */
	public static @Nullable RegistryDialect forProduct(String name) {
		return Arrays.stream(values())
			.filter((dialect) -> dialect.productName.equalsIgnoreCase(name) || dialect.platform.equalsIgnoreCase(name))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the name of the platform, as in the names of schema scripts.
	 * @return the name in lower case; never null
	 */
	public String platform() {
		return this.platform;
	}

}
