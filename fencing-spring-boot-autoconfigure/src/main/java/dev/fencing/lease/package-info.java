/**
 * Leases: the provider behind them, waiting, renewal, and what this instance holds.
 */
@NullMarked
package dev.fencing.lease;

import org.jspecify.annotations.NullMarked;
