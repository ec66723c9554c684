/**
 * A document service whose stale owner the database refuses.
 */
@NullMarked
package dev.fencing.sample;

import org.jspecify.annotations.NullMarked;
