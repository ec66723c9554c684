/**
 * Tests of the benchmarks.
 */
@NullMarked
package dev.fencing;

import org.jspecify.annotations.NullMarked;
