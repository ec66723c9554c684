/**
 * The page, in a browser.
 */
@NullMarked
package dev.fencing.sample.page;

import org.jspecify.annotations.NullMarked;
