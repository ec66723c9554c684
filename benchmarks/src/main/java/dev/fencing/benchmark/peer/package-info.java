/**
 * Locks that users would pick instead, behind one interface.
 */
@NullMarked
package dev.fencing.benchmark.peer;

import org.jspecify.annotations.NullMarked;
