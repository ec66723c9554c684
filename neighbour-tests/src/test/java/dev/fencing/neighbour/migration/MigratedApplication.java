package dev.fencing.neighbour.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;

/**
 * An application whose schema comes from migrations alone.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class MigratedApplication {

	private static final List<String> DEFAULTS = List.of("fencing.provider=memory",
			"fencing.jdbc.initialize-schema=never", "spring.batch.job.enabled=false",
			"spring.batch.jdbc.initialize-schema=never", "spring.flyway.enabled=false",
			"spring.liquibase.enabled=false", "spring.main.banner-mode=off");

	/**
	 * Start it on a database.
	 * @param url the JDBC URL
	 * @param properties what else is set, or set otherwise
	 * @return the context, to be closed by the caller
	 */
	static ConfigurableApplicationContext start(String url, String... properties) {
		Map<String, String> arguments = new LinkedHashMap<>();
		Stream.of(DEFAULTS, List.of("spring.datasource.url=" + url), List.of(properties))
			.flatMap(List::stream)
			.map((property) -> property.split("=", 2))
			.forEach((property) -> arguments.put(property[0], property[1]));
		return new SpringApplicationBuilder(MigratedApplication.class).web(WebApplicationType.NONE)
			.run(arguments.entrySet().stream().map((argument) -> "--" + argument).toArray(String[]::new));
	}

	/**
	 * Rename the document under a lease.
	 * @return how many registrations there are then
	 */
	static int rename(ConfigurableApplicationContext context) {
		JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
		context.getBean(FencedLockTemplate.class)
			.executeWithoutResult(LockRequest.of("document").key(42),
					(lease) -> jdbc.update("update document set title = 'final' where id = 42"));
		return count(context, "select count(*) from FENCING_GENERATION where resource_id = 'document:42'");
	}

	static int count(ConfigurableApplicationContext context, String query) {
		Integer count = context.getBean(JdbcTemplate.class).queryForObject(query, Integer.class);
		return (count != null) ? count : -1;
	}

}
