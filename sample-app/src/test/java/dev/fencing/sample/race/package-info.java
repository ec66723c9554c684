/**
 * Tests of the sample application.
 */
@NullMarked
package dev.fencing.sample.race;

import org.jspecify.annotations.NullMarked;
