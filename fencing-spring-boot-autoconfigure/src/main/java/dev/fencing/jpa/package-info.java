/**
 * What a lease means for a JPA persistence context that was bound before it was taken.
 */
@NullMarked
package dev.fencing.jpa;

import org.jspecify.annotations.NullMarked;
