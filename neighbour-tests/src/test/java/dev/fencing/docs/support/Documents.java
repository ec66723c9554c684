package dev.fencing.docs.support;

/**
 * The service whose method is locked.
 */
public interface Documents {

	/**
	 * Rename a document.
	 * @param id its id
	 * @param title the new title
	 */
	void rename(long id, String title);

	/**
	 * Rename the document that there is.
	 * @param title the new title
	 */
	void rename(String title);

}
