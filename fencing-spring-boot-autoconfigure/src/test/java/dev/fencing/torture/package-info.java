/**
 * The library under random schedules of steps and faults, and a checker that reads what
 * became of it.
 */
@NullMarked
package dev.fencing.torture;

import org.jspecify.annotations.NullMarked;
