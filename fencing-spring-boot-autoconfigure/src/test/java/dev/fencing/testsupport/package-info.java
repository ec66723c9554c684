/**
 * Fixtures that tests share: real servers on loopback and free ports.
 */
@NullMarked
package dev.fencing.testsupport;

import org.jspecify.annotations.NullMarked;
