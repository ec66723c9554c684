@NullMarked
package dev.fencing.jpa;

import org.jspecify.annotations.NullMarked;
