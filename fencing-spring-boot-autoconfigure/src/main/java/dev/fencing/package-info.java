/**
 * What applications write against: {@link dev.fencing.FencedLock @FencedLock}, the
 * template, the context of a running acquisition, the exceptions and the listener.
 */
@NullMarked
package dev.fencing;

import org.jspecify.annotations.NullMarked;
