package dev.fencing.compat;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * Renames documents as plain entities.
 */
public class DocumentEntities {

	private final EntityManager entityManager;

	DocumentEntities(EntityManagerFactory entityManagerFactory) {
		this.entityManager = SharedEntityManagerCreator.createSharedEntityManager(entityManagerFactory);
	}

	/**
	 * Rename by changing the entity: Hibernate writes at the flush before the commit.
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title, Runnable beforeWrite) {
		Document document = this.entityManager.find(Document.class, id);
		beforeWrite.run();
		document.setTitle(title);
	}

	/**
	 * Read outside a transaction, through the persistence context that is open.
	 */
	public String titleOf(long id) {
		return this.entityManager.find(Document.class, id).getTitle();
	}

}
