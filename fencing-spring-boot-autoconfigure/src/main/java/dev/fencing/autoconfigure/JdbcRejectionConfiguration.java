package dev.fencing.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.StringUtils;

import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.JdbcRejectionHistory;
import dev.fencing.jdbc.JdbcRejectionSink;
import dev.fencing.jdbc.RejectionTable;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.rejection.RejectionWriter;

/**
 * Rejections in a table that outlives the instance. It does not need the generation
 * registry.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "fencing.rejections.store", havingValue = "jdbc")
@Import(DatabaseInitializationDependencyConfigurer.class)
class JdbcRejectionConfiguration {

	@Bean
	RejectionSchema fencingRejectionSchema(DatabasePlatform platform, FencingProperties properties,
			ResourceLoader resourceLoader) {
		return new RejectionSchema(platform, properties.getRejections(), resourceLoader);
	}

	@Bean
	@DependsOnDatabaseInitialization
	RejectionTable fencingRejectionTable(FencedDataSource dataSource, DatabasePlatform platform,
			FencingProperties properties) {
		return new RejectionTable(dataSource, platform::dialect, properties.getRejections().getTableName());
	}

	@Bean
	@ConditionalOnMissingBean
	RejectionDataSourceScriptDatabaseInitializer fencingRejectionDataSourceScriptDatabaseInitializer(
			FencedDataSource dataSource, RejectionSchema schema, FencingProperties properties) {
		return new RejectionDataSourceScriptDatabaseInitializer(dataSource, schema.location(),
				properties.getJdbc().getInitializeSchema());
	}

	/**
	 * Closed before the data source, which is made before it: what waits is stored first.
	 */
	@Bean
	RejectionWriter fencingRejectionWriter(RejectionTable table, FencingProperties properties,
			Environment environment) {
		return new RejectionWriter(new JdbcRejectionSink(table), properties.getRejections().getQueueCapacity(),
				retention(properties, environment));
	}

	@Bean
	@Primary
	@ConditionalOnMissingBean(value = RejectionHistory.class, ignored = RejectionLog.class)
	JdbcRejectionHistory fencingRejectionHistory(RejectionTable table) {
		return new JdbcRejectionHistory(table);
	}

	/**
	 * Runs when all singletons are there, migrations of the database among them.
	 */
	@Bean
	SmartInitializingSingleton fencingRejectionCheck(RejectionSchema schema, RejectionTable table,
			RejectionWriter writer, FencingProperties properties, Environment environment) {
		boolean deletes = retention(properties, environment) != null;
		return () -> {
			schema.verify(table, deletes);
			writer.start();
		};
	}

	/**
	 * Return how long rejections are kept, or null for ever.
	 */
	private static @Nullable Duration retention(FencingProperties properties, Environment environment) {
		Duration retention = properties.getRejections().getRetention();
		// A duration that is set to nothing is not bound at all, and has its default
		boolean empty = Binder.get(environment)
			.bind("fencing.rejections.retention", String.class)
			.map((text) -> !StringUtils.hasText(text))
			.orElse(false);
		return (empty || retention.isZero()) ? null : retention;
	}

}
