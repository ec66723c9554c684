/**
 * Tests for events.
 */
@NullMarked
package dev.fencing.event;

import org.jspecify.annotations.NullMarked;
