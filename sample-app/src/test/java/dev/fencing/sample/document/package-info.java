/**
 * Tests of the sample application.
 */
@NullMarked
package dev.fencing.sample.document;

import org.jspecify.annotations.NullMarked;
