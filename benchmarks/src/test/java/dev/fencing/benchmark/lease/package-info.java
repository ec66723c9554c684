/**
 * Tests of the benches of leases.
 */
@NullMarked
package dev.fencing.benchmark.lease;

import org.jspecify.annotations.NullMarked;
