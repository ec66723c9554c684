package dev.fencing.test.app;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.scheduling.annotation.EnableAsync;

/**
 * Has two databases, of which the first one refuses stale owners.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableAsync
public class TestApplication {

	@Bean
	@Primary
	HikariDataSource dataSource(DataSourceProperties properties) {
		return properties.initializeDataSourceBuilder().type(HikariDataSource.class).build();
	}

	@Bean(defaultCandidate = false)
	@Qualifier("archive")
	DataSource archive() {
		return new EmbeddedDatabaseBuilder().generateUniqueName(true)
			.setType(EmbeddedDatabaseType.H2)
			.addScript("archive.sql")
			.build();
	}

	@Bean(defaultCandidate = false)
	@Qualifier("archive")
	JdbcTemplate archiveJdbc(@Qualifier("archive") DataSource archive) {
		return new JdbcTemplate(archive);
	}

}
