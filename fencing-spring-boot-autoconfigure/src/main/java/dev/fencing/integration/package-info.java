/**
 * Spring Integration's locks as leases. The only package that knows Spring Integration.
 */
@NullMarked
package dev.fencing.integration;

import org.jspecify.annotations.NullMarked;
