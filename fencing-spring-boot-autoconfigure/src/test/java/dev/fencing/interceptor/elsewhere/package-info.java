/**
 * Another package than that of the tests: what is visible in one only is not in the
 * other.
 */
@NullMarked
package dev.fencing.interceptor.elsewhere;

import org.jspecify.annotations.NullMarked;
