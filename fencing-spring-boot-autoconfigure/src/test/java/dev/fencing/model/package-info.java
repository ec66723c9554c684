/**
 * A model of the protocol, small enough that a computer can try every order of its steps
 * and every fault between any two of them.
 */
@NullMarked
package dev.fencing.model;

import org.jspecify.annotations.NullMarked;
