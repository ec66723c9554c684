/**
 * The PostgreSQL and the Redis that the application starts for itself.
 */
@NullMarked
package dev.fencing.sample.server;

import org.jspecify.annotations.NullMarked;
