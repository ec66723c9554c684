/**
 * Meters, through the listener, and observations. The only package that knows Micrometer.
 */
@NullMarked
package dev.fencing.metrics;

import org.jspecify.annotations.NullMarked;
