/**
 * Tests that the application of the measurement is what it is said to be.
 */
package dev.fencing.benchmark.startup;
