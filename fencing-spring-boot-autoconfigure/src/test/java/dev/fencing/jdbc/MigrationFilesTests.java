package dev.fencing.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flyway knows a migration by the name of its file, and so cannot be shown the schema
 * scripts themselves: what it is given are their copies.
 */
class MigrationFilesTests {

	private static final Path RESOURCES = Path.of("src", "main", "resources", "dev", "fencing");

	private static final String HOW_TO_WRITE = """
			The migration of Flyway is not what the schema script says. Copy the scripts anew with
			mvn -pl fencing-spring-boot-autoconfigure test -Dtest=MigrationFilesTests -Dfencing.docs.write=true
			""";

	@ParameterizedTest
	@EnumSource(RegistryDialect.class)
	void flywayHasTheScriptOfTheRegistry(RegistryDialect dialect) throws IOException {
		check("jdbc/schema-%s.sql", "flyway/%s/R__fencing_generation.sql", dialect);
	}

	@ParameterizedTest
	@EnumSource(RegistryDialect.class)
	void flywayHasTheScriptOfTheRejections(RegistryDialect dialect) throws IOException {
		check("jdbc/rejection-schema-%s.sql", "flyway/rejection/%s/R__fencing_rejection.sql", dialect);
	}

	@ParameterizedTest
	@EnumSource(RegistryDialect.class)
	void liquibaseHasAChangeSetForEachDatabase(RegistryDialect dialect) throws IOException {
		assertThat(Files.readString(RESOURCES.resolve("liquibase/generation.xml")))
			.contains("\"dev/fencing/jdbc/schema-%s.sql\"".formatted(dialect.platform()));
		assertThat(Files.readString(RESOURCES.resolve("liquibase/rejection.xml")))
			.contains("\"dev/fencing/jdbc/rejection-schema-%s.sql\"".formatted(dialect.platform()));
	}

	@ParameterizedTest
	@EnumSource(RegistryDialect.class)
	void scriptsCanBeRunAgain(RegistryDialect dialect) throws IOException {
		for (String script : Arrays.asList("jdbc/schema-%s.sql", "jdbc/rejection-schema-%s.sql")) {
			String text = Files.readString(RESOURCES.resolve(script.formatted(dialect.platform())));
			// Oracle has no such words before 23; the documentation says so
			assertThat(dialect == RegistryDialect.ORACLE || text.contains("IF NOT EXISTS")
					|| text.contains("IF OBJECT_ID("))
				.isTrue();
		}
	}

	private static void check(String script, String migration, RegistryDialect dialect) throws IOException {
		Path copy = RESOURCES.resolve(migration.formatted(dialect.platform()));
		String text = Files.readString(RESOURCES.resolve(script.formatted(dialect.platform())));
		if (Boolean.getBoolean("fencing.docs.write")) {
			Files.createDirectories(copy.getParent());
			Files.writeString(copy, text);
			return;
		}
		assertThat(Files.readString(copy)).as(HOW_TO_WRITE).isEqualTo(text);
	}

}
