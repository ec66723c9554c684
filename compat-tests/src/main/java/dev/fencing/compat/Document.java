package dev.fencing.compat;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * A document as an entity that knows nothing of tokens.
 */
@Entity
public class Document {

	@Id
	private long id;

	private String title = "";

	protected Document() {
	}

	public long getId() {
		return this.id;
	}

	public String getTitle() {
		return this.title;
	}

	public void setTitle(String title) {
		this.title = title;
	}

}
