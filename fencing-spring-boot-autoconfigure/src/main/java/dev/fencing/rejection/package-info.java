/**
 * What was refused: kept in bounded memory for operators, written to the log, and handed
 * to a store that lasts.
 */
@NullMarked
package dev.fencing.rejection;

import org.jspecify.annotations.NullMarked;
