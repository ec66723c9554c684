/**
 * ShedLock's jobs under leases. The only package that knows ShedLock.
 */
@NullMarked
package dev.fencing.shedlock;

import org.jspecify.annotations.NullMarked;
