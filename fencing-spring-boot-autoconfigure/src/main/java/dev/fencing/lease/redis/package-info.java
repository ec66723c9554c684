/**
 * The provider that keeps leases in Redis, and its Lua scripts.
 */
@NullMarked
package dev.fencing.lease.redis;

import org.jspecify.annotations.NullMarked;
