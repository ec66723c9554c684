package dev.fencing.jdbc;

import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.Rejection;
import dev.fencing.testsupport.SomeRejections;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a table does not have every character, the rest of the rejection is stored, and
 * found under the resource that it is of.
 */
class RejectionCharacterSetTests {

	@Test
	void postgresqlInLatin1() {
		String url = TestDatabase.POSTGRESQL.createDatabase();
		String name = "latin_" + UUID.randomUUID().toString().replace("-", "");
		try (HikariDataSource admin = TestDatabase.POSTGRESQL.pool(url, 1)) {
			new JdbcTemplate(admin)
				.execute("create database %s encoding 'LATIN1' locale 'C' template template0".formatted(name));
		}
		String latin = url.substring(0, url.lastIndexOf('/') + 1) + name;
		try (HikariDataSource pool = TestDatabase.POSTGRESQL.pool(latin, 1)) {
			assertStoresWhatItCan(RejectionRows.create(TestDatabase.POSTGRESQL, pool));
		}
	}

	@Test
	void mariaDbInLatin1() {
		try (HikariDataSource pool = TestDatabase.MARIADB.pool(TestDatabase.MARIADB.createDatabase(), 1)) {
			RejectionRows rows = RejectionRows.create(TestDatabase.MARIADB, pool);
			new JdbcTemplate(pool).execute("alter table FENCING_REJECTION convert to character set latin1");
			assertStoresWhatItCan(rows);
		}
	}

	@Test
	void mariaDbInAscii() {
		try (HikariDataSource pool = TestDatabase.MARIADB.pool(TestDatabase.MARIADB.createDatabase(), 1)) {
			RejectionRows rows = RejectionRows.create(TestDatabase.MARIADB, pool);
			new JdbcTemplate(pool).execute("alter table FENCING_REJECTION convert to character set ascii");
			assertKeepsApart(rows, "document:ä", "document:ö");
		}
	}

	private static void assertStoresWhatItCan(RejectionRows rows) {
		Rejection ordinary = SomeRejections.of("document:größe");
		rows.store(ordinary);
		assertThat(rows.all(ordinary.resource())).containsExactly(ordinary);
		assertKeepsApart(rows, "document:日本1", "document:本日1");
	}

	private static void assertKeepsApart(RejectionRows rows, String... resources) {
		for (String resource : resources) {
			assertThat(rows.all(resource)).isEmpty();
			rows.store(SomeRejections.of(resource));
			assertThat(rows.all(resource)).singleElement().satisfies((rejection) -> {
				assertThat(rejection.resource()).matches("document:\\?+1?~[0-9a-f]{16}");
				assertThat(rejection.rejectedToken()).isEqualTo(SomeRejections.of(resource).rejectedToken());
				assertThat(rejection.instance()).isEqualTo("host-1");
			});
		}
	}

}
