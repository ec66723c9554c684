/**
 * The actuator endpoint {@code fencing}. What it answers is made of text, numbers and
 * lists only, so that it reads the same whichever JSON library writes it.
 */
@NullMarked
package dev.fencing.actuate;

import org.jspecify.annotations.NullMarked;
