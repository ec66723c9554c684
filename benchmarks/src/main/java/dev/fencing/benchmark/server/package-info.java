/**
 * The servers that are measured with, and what they say they were asked.
 */
@NullMarked
package dev.fencing.benchmark.server;

import org.jspecify.annotations.NullMarked;
