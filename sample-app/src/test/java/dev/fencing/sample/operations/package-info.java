/**
 * Tests that the dashboard, the alerts and the page for operators fit the application.
 */
@NullMarked
package dev.fencing.sample.operations;

import org.jspecify.annotations.NullMarked;
