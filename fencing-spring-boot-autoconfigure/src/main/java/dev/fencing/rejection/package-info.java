/**
 * What was refused: kept in bounded memory for operators, and written to the log.
 */
@NullMarked
package dev.fencing.rejection;

import org.jspecify.annotations.NullMarked;
