package dev.fencing.autoconfigure;

import org.springframework.core.io.ResourceLoader;
import org.springframework.dao.DataAccessException;

import dev.fencing.jdbc.RejectionTable;

/**
 * Knows the script that creates the table of rejections, and whether that is there.
 */
final class RejectionSchema {

	private final DatabasePlatform platform;

	private final String table;

	private final SchemaScript script;

	RejectionSchema(DatabasePlatform platform, FencingProperties.Rejections properties, ResourceLoader resourceLoader) {
		this.platform = platform;
		this.table = properties.getTableName();
		this.script = new SchemaScript(platform, resourceLoader, "fencing.rejections", properties.getSchema(),
				RejectionTable.DEFAULT_NAME, this.table);
	}

	String location() {
		return this.script.location();
	}

	/**
	 * Check that the table is there, and that the user may do with it what will be done.
	 * @param rejections the table
	 * @param deletes whether rows will be deleted
	 */
	void verify(RejectionTable rejections, boolean deletes) {
		this.platform.dialect();
		try {
			rejections.verify(deletes);
		}
		catch (DataAccessException ex) {
			FencingConfigurationException failure = new FencingConfigurationException(
					"""
							The table of rejections, %s, cannot be used: with fencing.rejections.store=jdbc, what is refused \
							is to be stored in it. The database said: %s"""
						.formatted(this.table, ex.getMostSpecificCause().getMessage()),
					"""
							Create the table, for instance as the Flyway migration V1__fencing_rejection.sql:

							%s
							%s The application's database user needs the right to select and insert%s. Without the table, set \
							fencing.rejections.store to memory."""
						.formatted(this.script.text(),
								this.script.alternative("dev/fencing/flyway/rejection/@@platform@@",
										"dev/fencing/liquibase/rejection.xml"),
								deletes ? ", and to delete for fencing.rejections.retention" : ""));
			failure.initCause(ex);
			throw failure;
		}
	}

}
