/**
 * Leases alone, without a database.
 */
@NullMarked
package dev.fencing.benchmark.lease;

import org.jspecify.annotations.NullMarked;
