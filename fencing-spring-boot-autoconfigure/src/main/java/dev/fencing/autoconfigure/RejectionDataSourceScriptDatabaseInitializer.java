package dev.fencing.autoconfigure;

import java.util.List;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;

import dev.fencing.jdbc.FencedDataSource;

/**
 * Creates the table of rejections, as {@code fencing.jdbc.initialize-schema} says.
 *
 * @since 0.1.0
 */
public class RejectionDataSourceScriptDatabaseInitializer extends DataSourceScriptDatabaseInitializer {

	private final String location;

	RejectionDataSourceScriptDatabaseInitializer(FencedDataSource dataSource, String location,
			DatabaseInitializationMode mode) {
		super(dataSource.unwrap(), settings(location, mode));
		this.location = location;
	}

	private static DatabaseInitializationSettings settings(String location, DatabaseInitializationMode mode) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(mode);
		settings.setSchemaLocations(List.of(location));
		// As with the registry: another instance may create it at the same time
		settings.setContinueOnError(true);
		return settings;
	}

	@Override
	public boolean initializeDatabase() {
		try {
			return super.initializeDatabase();
		}
		catch (IllegalStateException ex) {
			throw new InvalidConfigurationPropertyValueException("fencing.rejections.schema", this.location,
					ex.getMessage());
		}
	}

}
