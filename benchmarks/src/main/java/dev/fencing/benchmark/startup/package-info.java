/**
 * What an application pays for having the starter.
 */
@NullMarked
package dev.fencing.benchmark.startup;

import org.jspecify.annotations.NullMarked;
