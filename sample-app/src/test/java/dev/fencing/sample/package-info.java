/**
 * Tests of the sample application.
 */
@NullMarked
package dev.fencing.sample;

import org.jspecify.annotations.NullMarked;
