/**
 * What every lease provider has to do.
 */
@NullMarked
package dev.fencing.test.provider;

import org.jspecify.annotations.NullMarked;
