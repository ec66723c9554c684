package dev.fencing.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;

import dev.fencing.jdbc.FencedDataSource;

/**
 * Creates the generation registry, as {@code fencing.jdbc.initialize-schema} says.
 *
 * @since 0.1.0
 */
public class FencingDataSourceScriptDatabaseInitializer extends DataSourceScriptDatabaseInitializer {

	private final String location;

	FencingDataSourceScriptDatabaseInitializer(DataSource dataSource, DatabaseInitializationSettings settings,
			String location) {
		super(dataSource, settings);
		this.location = location;
	}

	@Override
	public boolean initializeDatabase() {
		try {
			return super.initializeDatabase();
		}
		catch (IllegalStateException ex) {
			throw new InvalidConfigurationPropertyValueException("fencing.jdbc.schema", this.location, ex.getMessage());
		}
	}

	static FencingDataSourceScriptDatabaseInitializer of(FencedDataSource dataSource, RegistrySchema schema,
			FencingProperties.Jdbc properties) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(properties.getInitializeSchema());
		String location = schema.location();
		settings.setSchemaLocations(List.of(location));
		// Two instances that start at once may both find the table missing; whether it is
		// there in the end is checked later
		settings.setContinueOnError(true);
		return new FencingDataSourceScriptDatabaseInitializer(dataSource.unwrap(), settings, location);
	}

}
