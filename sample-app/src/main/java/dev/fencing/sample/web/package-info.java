/**
 * Errors as problem details (RFC 9457).
 */
@NullMarked
package dev.fencing.sample.web;

import org.jspecify.annotations.NullMarked;
