/**
 * What the SQL helpers cost.
 */
@NullMarked
package dev.fencing.jdbc;

import org.jspecify.annotations.NullMarked;
