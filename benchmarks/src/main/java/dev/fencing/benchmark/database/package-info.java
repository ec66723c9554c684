/**
 * Locked transactions, and what the database is asked.
 */
@NullMarked
package dev.fencing.benchmark.database;

import org.jspecify.annotations.NullMarked;
