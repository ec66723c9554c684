package dev.fencing.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RegistryDialect}, its scripts and statements.
 */
class RegistryDialectTests {

	@Test
	void eachHasItsScriptAndNoScriptIsLeftOver() throws IOException {
		assertThat(scripts()).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(RegistryDialect.values()).map(RegistryDialectTests::script).toList());
	}

	@ParameterizedTest
	@EnumSource
	void scriptCreatesTheColumnsThatTheStatementsUse(RegistryDialect dialect) throws IOException {
		assertThat(text(dialect)).contains("CREATE TABLE", JdbcGenerationRegistry.DEFAULT_TABLE_NAME + " (",
				"\tresource_id ", "\tfencing_token ", "\towner ", "\tregistered_at ");
	}

	@ParameterizedTest
	@EnumSource
	void scriptThatNoTestRunsSaysSo(RegistryDialect dialect) throws IOException {
		boolean untested = List.of(RegistryDialect.SQLSERVER, RegistryDialect.ORACLE).contains(dialect);
		assertThat(text(dialect).startsWith("-- UNTESTED")).isEqualTo(untested);
	}

	@ParameterizedTest
	@CsvSource({ "PostgreSQL, POSTGRESQL", "H2, H2", "MySQL, MYSQL", "MariaDB, MARIADB",
			"Microsoft SQL Server, SQLSERVER", "Oracle, ORACLE" })
	void isFoundByTheNameOfTheProductAndOfThePlatform(String productName, RegistryDialect dialect) {
		assertThat(RegistryDialect.forProduct(productName)).isEqualTo(dialect);
		assertThat(RegistryDialect.forProduct(dialect.platform())).isEqualTo(dialect);
	}

	@Test
	void isNotFoundForAnotherDatabase() {
		assertThat(RegistryDialect.forProduct("DB2")).isNull();
	}

	@ParameterizedTest
	@EnumSource
	void creatingTheRowNeitherRegistersNorNeedsAnEmptyText(RegistryDialect dialect) {
		assertThat(statements(dialect).create()).contains("values (?, 0, '-', ")
			.doesNotContain("update fencing_token")
			.doesNotContain("''");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SQLSERVER")
	void lockIsAskedForAtTheEnd(RegistryDialect dialect) {
		assertThat(statements(dialect).lock()).isEqualTo(statements(dialect).read() + " for update");
	}

	@Test
	void lockIsAskedForBehindTheTableOnSqlServer() {
		assertThat(statements(RegistryDialect.SQLSERVER).lock()).isEqualTo("select fencing_token, owner, registered_at"
				+ " from fences with (updlock, holdlock, rowlock) where resource_id = ?");
	}

	@Test
	void idsAreBytesOnSqlServer() {
		assertThat(RegistrySql.of(RegistryDialect.SQLSERVER).key("ü"))
			.isEqualTo(new byte[] { (byte) 0xC3, (byte) 0xBC });
	}

	private static RegistryStatements statements(RegistryDialect dialect) {
		return RegistryStatements.on("fences", RegistrySql.of(dialect));
	}

	private static String script(RegistryDialect dialect) {
		return "schema-" + dialect.platform() + ".sql";
	}

	private static String text(RegistryDialect dialect) throws IOException {
		return new ClassPathResource("dev/fencing/jdbc/" + script(dialect)).getContentAsString(StandardCharsets.UTF_8);
	}

	private static List<String> scripts() throws IOException {
		Path folder = new ClassPathResource("dev/fencing/jdbc/schema-h2.sql").getFile().toPath().getParent();
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString()).filter((name) -> name.endsWith(".sql")).toList();
		}
	}

}
