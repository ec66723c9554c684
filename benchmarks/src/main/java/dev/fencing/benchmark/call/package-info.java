/**
 * What a locked call costs without any server.
 */
@NullMarked
package dev.fencing.benchmark.call;

import org.jspecify.annotations.NullMarked;
