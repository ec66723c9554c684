/**
 * Frameworks that write through JDBC, with no change to their SQL.
 */
@NullMarked
package dev.fencing.persistence;

import org.jspecify.annotations.NullMarked;
