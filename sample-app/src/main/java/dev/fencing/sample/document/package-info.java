/**
 * The documents: how an ordinary service uses the starter.
 */
@NullMarked
package dev.fencing.sample.document;

import org.jspecify.annotations.NullMarked;
