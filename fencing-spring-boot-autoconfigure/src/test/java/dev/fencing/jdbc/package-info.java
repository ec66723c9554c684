/**
 * Tests of the generation registry, the guard of transactions, and the helpers.
 */
@NullMarked
package dev.fencing.jdbc;

import org.jspecify.annotations.NullMarked;
