package dev.fencing.test.app;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * A document.
 */
@Entity
public class Document {

	@Id
	private long id;

	private String title = "";

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
