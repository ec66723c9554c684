/**
 * Finds out whether a service stands a stale owner.
 */
@NullMarked
package dev.fencing.test;

import org.jspecify.annotations.NullMarked;
