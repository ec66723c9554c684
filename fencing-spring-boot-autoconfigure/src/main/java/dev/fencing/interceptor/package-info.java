/**
 * What makes {@link dev.fencing.FencedLock @FencedLock} work through a Spring proxy, and
 * refuses every set-up in which it would silently lock nothing.
 */
@NullMarked
package dev.fencing.interceptor;

import org.jspecify.annotations.NullMarked;
