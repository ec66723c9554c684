/**
 * Tests of the sample application.
 */
@NullMarked
package dev.fencing.sample.server;

import org.jspecify.annotations.NullMarked;
