/**
 * Tests of the driver, on an application that is small and on parts of it.
 */
@NullMarked
package dev.fencing.test;

import org.jspecify.annotations.NullMarked;
