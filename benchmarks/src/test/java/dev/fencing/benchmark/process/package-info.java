/**
 * Tests of other processes that take part in a measurement.
 */
@NullMarked
package dev.fencing.benchmark.process;

import org.jspecify.annotations.NullMarked;
