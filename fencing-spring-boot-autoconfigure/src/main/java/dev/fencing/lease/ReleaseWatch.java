package dev.fencing.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Somebody waits to hear that a resource was given back, until this is closed.
 *
 * @since 0.1.0
 */
public interface ReleaseWatch extends AutoCloseable {

	/**
	 * A watch of a provider that tells nothing: who waits has to ask again.
	 */
	ReleaseWatch NONE = new ReleaseWatch() {

		@Override
		public CompletionStage<?> ready() {
			return CompletableFuture.failedStage(new UnsupportedOperationException("This provider tells nothing"));
		}

		@Override
		public void close() {
		}

	};

	/**
	 * Tell from when on nothing is missed. What was given back before is not told, so an
	 * attempt has to follow.
	 * @return a stage that ends then, or fails if nothing will be told; never null
	 */
	CompletionStage<?> ready();

	/**
	 * End the watch. Does not block.
	 */
	@Override
	void close();

}
