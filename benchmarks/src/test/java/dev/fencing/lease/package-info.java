/**
 * Tests that the loads can be run.
 */
package dev.fencing.lease;
