/**
 * The race that the product is about: an owner pauses for longer than its lease, another
 * one takes over, the first one wakes up and writes.
 */
@NullMarked
package dev.fencing.sample.race;

import org.jspecify.annotations.NullMarked;
