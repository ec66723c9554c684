@NullMarked
package dev.fencing.interceptor;

import org.jspecify.annotations.NullMarked;
