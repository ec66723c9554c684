package dev.fencing.docs;

/**
 * Finds out whether a snippet does what its document says.
 */
@FunctionalInterface
interface SnippetChecker {

	/**
	 * Check a snippet.
	 * @throws Exception or an {@link AssertionError}, if it is wrong
	 */
	void check(Snippet snippet) throws Exception;

}
