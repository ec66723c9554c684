package dev.fencing.persistence;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Entities, which Hibernate writes at the flush.
 */
class JpaTests extends AbstractPersistenceTests {

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(JpaDocuments.class)
	static class Application {

	}

	static class JpaDocuments extends Documents {

		@PersistenceContext
		private EntityManager entityManager;

		@Override
		protected String read(long id) {
			return this.entityManager.find(Document.class, id).title;
		}

		@Override
		protected void write(long id, String title) {
			this.entityManager.find(Document.class, id).title = title;
		}

	}

	@Entity
	@Table(name = "document")
	static class Document {

		@Id
		long id;

		String title;

	}

}
