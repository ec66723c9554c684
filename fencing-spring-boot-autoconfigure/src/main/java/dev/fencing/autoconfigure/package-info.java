/**
 * Puts everything together in a Spring Boot application: auto-configurations, properties
 * and failure analyzers.
 */
@NullMarked
package dev.fencing.autoconfigure;

import org.jspecify.annotations.NullMarked;
