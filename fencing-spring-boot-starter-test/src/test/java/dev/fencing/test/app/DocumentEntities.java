package dev.fencing.test.app;

import jakarta.persistence.EntityManager;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;

/**
 * Writes through JPA.
 */
@Service
public class DocumentEntities {

	private final EntityManager entityManager;

	public DocumentEntities(EntityManager entityManager) {
		this.entityManager = entityManager;
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title) {
		this.entityManager.find(Document.class, id).setTitle(title);
	}

}
