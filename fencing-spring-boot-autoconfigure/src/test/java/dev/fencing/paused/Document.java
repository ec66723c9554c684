package dev.fencing.paused;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * A row of a table, as any application has it: nothing here knows of tokens.
 */
@Entity
class Document {

	@Id
	private long id;

	private String title = "";

	String getTitle() {
		return this.title;
	}

	void setTitle(String title) {
		this.title = title;
	}

}
