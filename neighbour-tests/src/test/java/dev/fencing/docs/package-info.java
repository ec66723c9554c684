/**
 * Compiles, runs or compares what the documents show.
 */
@NullMarked
package dev.fencing.docs;

import org.jspecify.annotations.NullMarked;
