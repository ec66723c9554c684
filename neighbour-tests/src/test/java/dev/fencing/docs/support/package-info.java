/**
 * What snippets refer to and do not show: an application that everybody can imagine.
 */
@NullMarked
package dev.fencing.docs.support;

import org.jspecify.annotations.NullMarked;
