/**
 * A step of Spring Batch under a lease.
 */
@NullMarked
package dev.fencing.examples.batch;

import org.jspecify.annotations.NullMarked;
