package dev.fencing.autoconfigure;

import javax.sql.DataSource;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.function.SingletonSupplier;

import dev.fencing.jdbc.FencedConnections;
import dev.fencing.jdbc.FencedDataSource;
import dev.fencing.jdbc.FencedJdbcClient;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.jdbc.FencedNamedParameterJdbcTemplate;
import dev.fencing.jdbc.JdbcGenerationRegistry;
import dev.fencing.transaction.FencedTransactionManagerPostProcessor;
import dev.fencing.transaction.TransactionConnections;

/**
 * Auto-configuration of the database that refuses stale owners: the generation registry,
 * the guard of every transaction manager, the helpers with row guards, and the table of
 * rejections.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
@EnableConfigurationProperties(FencingProperties.class)
@Import(JdbcRejectionConfiguration.class)
public final class FencingJdbcAutoConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedTransactionManagerPostProcessor fencedTransactionManagerPostProcessor(
			ObjectProvider<TransactionConnections> connections) {
		return new FencedTransactionManagerPostProcessor(SingletonSupplier.of(connections::getObject));
	}

	@Bean
	@ConditionalOnMissingBean
	FencedDataSource fencedDataSource(ListableBeanFactory beanFactory, ObjectProvider<DataSource> dataSources,
			@FencingDataSource ObjectProvider<DataSource> marked) {
		DataSource dataSource = MarkedBeans.select(beanFactory, DataSource.class, "FencingDataSource", marked,
				dataSources);
		if (dataSource == null) {
			throw new FencingConfigurationException(
					"There is no DataSource, so that no database could refuse a stale owner.",
					"Define a DataSource (spring.datasource.url), or leave the fencing starter out.");
		}
		return new FencedDataSource(dataSource);
	}

	@Bean
	DatabasePlatform fencingDatabasePlatform(FencedDataSource dataSource, FencingProperties properties) {
		return new DatabasePlatform(dataSource, properties.getJdbc().getPlatform());
	}

	@Bean
	@ConditionalOnMissingBean
	FencedConnections fencedConnections(FencedDataSource dataSource, ObjectProvider<JdbcGenerationRegistry> registry) {
		return new FencedConnections(dataSource, registry.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	FencedJdbcTemplate fencedJdbcTemplate(FencedDataSource dataSource, FencedConnections connections,
			ObjectProvider<JdbcGenerationRegistry> registry, FencingProperties properties) {
		return new FencedJdbcTemplate(dataSource, connections, registry.getIfAvailable(),
				properties.getJdbc().getTokenColumn());
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(FencedJdbcTemplate.class)
	FencedNamedParameterJdbcTemplate fencedNamedParameterJdbcTemplate(FencedJdbcTemplate fencedJdbc) {
		return new FencedNamedParameterJdbcTemplate(fencedJdbc);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(FencedJdbcTemplate.class)
	FencedJdbcClient fencedJdbcClient(FencedJdbcTemplate fencedJdbc) {
		return FencedJdbcClient.create(fencedJdbc);
	}

	/**
	 * The generation registry.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "fencing.jdbc.registration", havingValue = "true", matchIfMissing = true)
	@Import(DatabaseInitializationDependencyConfigurer.class)
	static class RegistrationConfiguration {

		@Bean
		RegistrySchema fencingRegistrySchema(DatabasePlatform platform, FencingProperties properties,
				ResourceLoader resourceLoader) {
			return new RegistrySchema(platform, properties.getJdbc(), resourceLoader);
		}

		// Also before the table is looked for where all beans but that check are lazy
		@Bean
		@ConditionalOnMissingBean
		@DependsOnDatabaseInitialization
		JdbcGenerationRegistry fencingGenerationRegistry(FencedDataSource dataSource, DatabasePlatform platform,
				FencingProperties properties) {
			FencingProperties.Jdbc jdbc = properties.getJdbc();
			return new JdbcGenerationRegistry(dataSource, platform::dialect, jdbc.getTableName(),
					jdbc.getRegistrationTimeout());
		}

		@Bean
		@ConditionalOnMissingBean
		FencingDataSourceScriptDatabaseInitializer fencingDataSourceScriptDatabaseInitializer(
				FencedDataSource dataSource, RegistrySchema schema, FencingProperties properties) {
			return FencingDataSourceScriptDatabaseInitializer.of(dataSource, schema, properties.getJdbc());
		}

		/**
		 * Runs when all singletons are there, migrations of the database among them.
		 */
		@Bean
		SmartInitializingSingleton fencingRegistryCheck(RegistrySchema schema, JdbcGenerationRegistry registry) {
			return () -> schema.verify(registry);
		}

	}

}
