package dev.fencing.persistence;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;

/**
 * Aggregates of Spring Data JDBC.
 */
class SpringDataJdbcTests extends AbstractPersistenceTests {

	@SpringBootConfiguration
	@EnableJdbcRepositories(considerNestedRepositories = true)
	@Import({ AbstractJdbcConfiguration.class, SpringDataDocuments.class })
	static class Application extends WithoutJpa {

	}

	static class SpringDataDocuments extends Documents {

		private final DocumentRepository repository;

		SpringDataDocuments(DocumentRepository repository) {
			this.repository = repository;
		}

		@Override
		protected String read(long id) {
			return this.repository.findById(id).orElseThrow().title();
		}

		@Override
		protected void write(long id, String title) {
			this.repository.save(new Document(id, title));
		}

	}

	interface DocumentRepository extends CrudRepository<Document, Long> {

	}

	@Table("document")
	record Document(@Id Long id, String title) {
	}

}
