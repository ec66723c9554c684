@NullMarked
package dev.fencing.benchmark;

import org.jspecify.annotations.NullMarked;
