/**
 * What the application context is told of: events for methods with
 * {@link org.springframework.context.event.EventListener @EventListener}.
 */
@NullMarked
package dev.fencing.event;

import org.jspecify.annotations.NullMarked;
