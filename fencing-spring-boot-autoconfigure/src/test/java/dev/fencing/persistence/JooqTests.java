package dev.fencing.persistence;

import javax.sql.DataSource;

import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Statements of jOOQ, on the connections that Spring Boot gives it.
 */
class JooqTests extends AbstractPersistenceTests {

	@SpringBootConfiguration
	@Import(JooqDocuments.class)
	static class Application extends WithoutJpa {

		@Bean
		DSLContext dsl(DataSource dataSource) {
			return DSL.using(new TransactionAwareDataSourceProxy(dataSource), SQLDialect.POSTGRES);
		}

	}

	static class JooqDocuments extends Documents {

		private static final Table<Record> DOCUMENT = DSL.table("document");

		private static final Field<Long> ID = DSL.field("id", Long.class);

		private static final Field<String> TITLE = DSL.field("title", String.class);

		private final DSLContext dsl;

		JooqDocuments(DSLContext dsl) {
			this.dsl = dsl;
		}

		@Override
		protected String read(long id) {
			return this.dsl.select(TITLE).from(DOCUMENT).where(ID.eq(id)).fetchSingle(TITLE);
		}

		@Override
		protected void write(long id, String title) {
			this.dsl.update(DOCUMENT).set(TITLE, title).where(ID.eq(id)).execute();
		}

	}

}
