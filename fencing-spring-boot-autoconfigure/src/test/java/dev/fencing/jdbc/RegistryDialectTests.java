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
	void eachHasItsScriptsAndNoScriptIsLeftOver() throws IOException {
		assertThat(scripts()).containsExactlyInAnyOrderElementsOf(Arrays.stream(RegistryDialect.values())
			.flatMap((dialect) -> Stream.of(script(dialect), rejectionScript(dialect)))
			.toList());
	}

	@ParameterizedTest
	@EnumSource
	void scriptCreatesTheColumnsThatTheStatementsUse(RegistryDialect dialect) throws IOException {
		assertThat(text(dialect)).contains("CREATE TABLE", JdbcGenerationRegistry.DEFAULT_TABLE_NAME + " (",
				"\tresource_id ", "\tfencing_token ", "\towner ", "\tregistered_at ");
	}

	@ParameterizedTest
	@EnumSource
	void rejectionScriptCreatesTheColumnsThatTheStatementsUse(RegistryDialect dialect) throws IOException {
		assertThat(text(rejectionScript(dialect))).contains("CREATE TABLE", RejectionTable.DEFAULT_NAME + " (", "\tid ",
				"\trejection_key ", "\trejected_at ", "\tlock_name ", "\tresource_id ", "\trejected_token ",
				"\taccepted_token ", "\tguard_name ", "\treason ", "\towner ", "\tinstance_id ", "(resource_id, id)",
				"(rejected_at)");
	}

	@ParameterizedTest
	@EnumSource
	void scriptThatNoTestRunsSaysSo(RegistryDialect dialect) throws IOException {
		boolean untested = List.of(RegistryDialect.SQLSERVER, RegistryDialect.ORACLE).contains(dialect);
		assertThat(text(dialect).startsWith("-- UNTESTED")).isEqualTo(untested);
		assertThat(text(rejectionScript(dialect)).startsWith("-- UNTESTED")).isEqualTo(untested);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			POSTGRESQL, " limit ?"
			H2,         " limit ?"
			MYSQL,      " limit ?"
			MARIADB,    " limit ?"
			SQLSERVER,  " offset 0 rows fetch next ? rows only"
			ORACLE,     " fetch first ? rows only"
			""")
	void pageOfRejectionsIsLimitedInTheDatabase(RegistryDialect dialect, String limit) {
		RejectionStatements sql = new RejectionStatements(RejectionSql.of(dialect), "refused");
		assertThat(sql.page(1, true))
			.endsWith(" from refused where (resource_id = ?) and id < ? order by id desc" + limit);
		assertThat(sql.page(0, true)).endsWith(" from refused where id < ? order by id desc" + limit);
		assertThat(sql.page(0, false)).endsWith(" from refused order by id desc" + limit);
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

	private static String rejectionScript(RegistryDialect dialect) {
		return "rejection-schema-" + dialect.platform() + ".sql";
	}

	private static String text(RegistryDialect dialect) throws IOException {
		return text(script(dialect));
	}

	private static String text(String script) throws IOException {
		return new ClassPathResource("dev/fencing/jdbc/" + script).getContentAsString(StandardCharsets.UTF_8);
	}

	private static List<String> scripts() throws IOException {
		Path folder = new ClassPathResource("dev/fencing/jdbc/schema-h2.sql").getFile().toPath().getParent();
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString()).filter((name) -> name.endsWith(".sql")).toList();
		}
	}

}
