/**
 * A small application in the words that all supported versions of Spring Boot share.
 */
@NullMarked
package dev.fencing.compat;

import org.jspecify.annotations.NullMarked;
