/**
 * The fenced database: the generation registry, the guard of its transactions, and the
 * helpers whose statements carry a row guard.
 */
@NullMarked
package dev.fencing.jdbc;

import org.jspecify.annotations.NullMarked;
