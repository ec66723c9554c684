@NullMarked
package dev.fencing.metrics;

import org.jspecify.annotations.NullMarked;
