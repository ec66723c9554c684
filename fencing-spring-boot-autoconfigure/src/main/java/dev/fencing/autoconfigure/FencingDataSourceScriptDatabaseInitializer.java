package dev.fencing.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;

import dev.fencing.jdbc.FencedDataSource;

/**
 * Creates the generation registry, as {@code fencing.jdbc.initialize-schema} says.
 *
 * @since 0.1.0
 */
public class FencingDataSourceScriptDatabaseInitializer extends DataSourceScriptDatabaseInitializer {

	FencingDataSourceScriptDatabaseInitializer(DataSource dataSource, DatabaseInitializationSettings settings) {
		super(dataSource, settings);
	}

	static FencingDataSourceScriptDatabaseInitializer of(FencedDataSource dataSource, RegistrySchema schema,
			FencingProperties.Jdbc properties) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setMode(properties.getInitializeSchema());
		settings.setSchemaLocations(List.of(schema.location()));
		// Two instances that start at once may both find the table missing; whether it is
		// there in the end is checked later
		settings.setContinueOnError(true);
		return new FencingDataSourceScriptDatabaseInitializer(dataSource.unwrap(), settings);
	}

}
