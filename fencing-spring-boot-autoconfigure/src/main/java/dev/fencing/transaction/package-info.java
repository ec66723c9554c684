/**
 * The acquisition that is bound to a thread, and what binds its token to transactions:
 * the guard before each commit, and the release after completion.
 */
@NullMarked
package dev.fencing.transaction;

import org.jspecify.annotations.NullMarked;
