package dev.fencing.paused;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.FencingContext;

/**
 * Documents, written by changing an entity.
 */
@Service
class EntityDocuments {

	private final DocumentRepository documents;

	private final Pauses pauses;

	EntityDocuments(DocumentRepository documents, Pauses pauses) {
		this.documents = documents;
		this.pauses = pauses;
	}

	@FencedLock(name = "document", key = "#id")
	@Transactional
	public long append(long id, String text, boolean flush) {
		this.pauses.at(PausePoint.BEFORE_READ);
		Document document = this.documents.findById(id).orElseThrow();
		this.pauses.at(PausePoint.BEFORE_WRITE);
		document.setTitle(document.getTitle() + text);
		if (flush) {
			this.documents.flush();
		}
		this.pauses.at(PausePoint.BEFORE_COMMIT);
		return FencingContext.require().generation();
	}

}
