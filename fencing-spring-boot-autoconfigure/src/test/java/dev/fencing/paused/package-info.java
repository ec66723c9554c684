/**
 * Owners that are frozen with SIGSTOP while they hold a lease: workers in processes of
 * their own, on a real Redis and a real PostgreSQL.
 */
@NullMarked
package dev.fencing.paused;

import org.jspecify.annotations.NullMarked;
