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
 * Where a table does not have every character, the rest of the rejection is stored.
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

	private static void assertStoresWhatItCan(RejectionRows rows) {
		Rejection ordinary = SomeRejections.of("document:größe");
		rows.store(ordinary);
		assertThat(rows.all(ordinary.resource())).containsExactly(ordinary);
		rows.store(SomeRejections.of("document:日本1"));
		assertThat(rows.all("document:??1")).singleElement()
			.returns(ordinary.rejectedToken(), Rejection::rejectedToken)
			.returns("host-1", Rejection::instance);
	}

}
