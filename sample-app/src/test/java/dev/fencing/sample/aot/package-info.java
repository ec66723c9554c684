/**
 * The application as it is when its beans are made by generated code.
 */
@NullMarked
package dev.fencing.sample.aot;

import org.jspecify.annotations.NullMarked;
