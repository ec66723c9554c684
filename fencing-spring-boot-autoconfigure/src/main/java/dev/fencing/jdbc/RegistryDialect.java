package dev.fencing.jdbc;

import java.util.Arrays;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What differs between databases for the generation registry.
 *
 * @since 0.1.0
 */
public enum RegistryDialect {

	/**
	 * PostgreSQL: a duplicate key would abort the transaction.
	 */
	POSTGRESQL("PostgreSQL", " on conflict do nothing", "select current_setting('transaction_read_only')"),

	/**
	 * H2: a duplicate key only fails the statement; read-only transactions may write.
	 */
	H2("H2", "", null),

	/**
	 * MariaDB: the update that changes nothing does not fail, and only creates the row.
	 */
	MARIADB("MariaDB", " on duplicate key update resource_id = resource_id", null);

	private final String productName;

	private final String ignoringDuplicates;

	private final @Nullable String readOnlyQuery;

	RegistryDialect(String productName, String ignoringDuplicates, @Nullable String readOnlyQuery) {
		this.productName = productName;
		this.ignoringDuplicates = ignoringDuplicates;
		this.readOnlyQuery = readOnlyQuery;
	}

	/**
	 * Return the dialect for a database.
	 * @param productName what the driver calls it
	 * @return the dialect, or null if the database is not supported
	 */
	public static @Nullable RegistryDialect forProduct(String productName) {
		return Arrays.stream(values())
			.filter((dialect) -> dialect.productName.equalsIgnoreCase(productName))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return the name of the platform, as in the names of schema scripts.
	 * @return the name in lower case; never null
	 */
	public String platform() {
		return this.productName.toLowerCase(Locale.ROOT);
	}

	String createRow(String table) {
		return "insert into " + table
				+ " (resource_id, fencing_token, owner, registered_at) values (?, 0, '', current_timestamp)"
				+ this.ignoringDuplicates;
	}

	/**
	 * Return the query that says "on" where the database itself refuses writes in a
	 * read-only transaction. Null where it lets them through.
	 */
	@Nullable String readOnlyQuery() {
		return this.readOnlyQuery;
	}

}
