package dev.fencing.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.Registration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the rows of the registry hold: each resource has one of its own, and the time in
 * it is right.
 */
@ParameterizedClass
@EnumSource
class RegistryRowsTests {

	private static FencedStack stack;

	private final TestDatabase database;

	RegistryRowsTests(TestDatabase database) {
		this.database = database;
	}

	@BeforeParameterizedClassInvocation
	static void open(TestDatabase database) {
		HikariDataSource pool = database.pool();
		if (database == TestDatabase.MARIADB) {
			pool.setConnectionInitSql("set time_zone = '+09:30'");
		}
		stack = FencedStack.on(pool, database, (dataSource) -> dataSource, new InMemoryLeaseProvider());
	}

	@AfterParameterizedClassInvocation
	static void close() {
		stack.close();
	}

	@Test
	void idsThatLookAlikeAreDifferentResources() {
		List<String> ids = List.of("document:a", "document:A", "document:a ", "document:a  ", "document:a\t",
				"document:á", "document:a\u0301", "document:ä", "document:ａ", "document:ß", "document:ss", "document:1",
				"document:¹", "document:😀", "document:😁", "document:i", "document:ı", "document:İ",
				"document:a\u00A0");
		for (int i = 0; i < ids.size(); i++) {
			assertAccepted(ids.get(i), 1_000_000L * (ids.size() - i));
		}
		for (int i = 0; i < ids.size(); i++) {
			assertThat(stack.registry().find(ids.get(i)).token()).as(ids.get(i))
				.isEqualTo(1_000_000L * (ids.size() - i));
		}
	}

	@Test
	void idMayHaveFourHundredCharactersOfAnyWidth() {
		for (String character : List.of("a", "ü", "漢", "😀")) {
			String id = character.repeat(399 / character.length()) + " ";
			assertAccepted(id, 2_000_000);
			assertAccepted(id.strip() + character, 1_000_000);
			assertThat(stack.registry().find(id).token()).isEqualTo(2_000_000);
		}
	}

	@Test
	void timeIsThatOfTheRegistrationWhateverZoneTheSessionIsIn() {
		Instant before = Instant.now().minus(Duration.ofSeconds(2));
		assertAccepted("time", 1_000_000);
		assertThat(stack.registry().find("time").registeredAt()).isBetween(before,
				Instant.now().plus(Duration.ofSeconds(2)));
	}

	@Test
	void timeHasAFraction() {
		assertThat(List.of(1, 2, 3)).anySatisfy((generation) -> {
			assertAccepted("fraction", generation * 1_000_000L);
			assertThat(stack.registry().find("fraction").registeredAt().getNano()).isPositive();
		});
	}

	@Test
	void rowWithoutAnOwnerIsAnybodys() {
		stack.jdbc().update(statements().create(), "created");
		assertThat(stack.registry().find("created").owner()).isNotEmpty();
		assertAccepted("created", 1_000_000);
	}

	private RegistryStatements statements() {
		return RegistryStatements.on(JdbcGenerationRegistry.DEFAULT_TABLE_NAME,
				RegistrySql.of(this.database.dialect()));
	}

	private static void assertAccepted(String resource, long token) {
		assertThat(stack.registry().register(resource, token, "owner")).as(resource)
			.isInstanceOf(Registration.Accepted.class);
	}

}
