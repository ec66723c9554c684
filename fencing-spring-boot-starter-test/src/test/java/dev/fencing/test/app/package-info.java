/**
 * An application that guards what it writes in some of its services.
 */
@NullMarked
package dev.fencing.test.app;

import org.jspecify.annotations.NullMarked;
