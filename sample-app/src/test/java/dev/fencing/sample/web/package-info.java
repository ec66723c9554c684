/**
 * Tests of the sample application.
 */
@NullMarked
package dev.fencing.sample.web;

import org.jspecify.annotations.NullMarked;
