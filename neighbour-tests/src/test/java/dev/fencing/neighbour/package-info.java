/**
 * What the tests beside other libraries have in common.
 */
@NullMarked
package dev.fencing.neighbour;

import org.jspecify.annotations.NullMarked;
