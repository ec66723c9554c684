package dev.fencing.docs.support;

import java.util.concurrent.CompletableFuture;

/**
 * Writes on another thread.
 */
public interface DocumentWriter {

	/**
	 * Write a title.
	 * @param id of the document
	 * @param title the new title
	 * @return when it is written
	 */
	CompletableFuture<Void> writeAsync(long id, String title);

}
