@NullMarked
package dev.fencing.rejection;

import org.jspecify.annotations.NullMarked;
