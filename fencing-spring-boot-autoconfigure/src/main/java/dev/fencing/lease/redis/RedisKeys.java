package dev.fencing.lease.redis;

import java.util.List;

/**
 * The keys of a namespace. Their hash tag comes first and is never empty: whatever braces
 * a resource holds, its lease is in the hash slot of the counter.
 */
final class RedisKeys {

	private final String prefix;

	RedisKeys(String namespace) {
		this.prefix = "{" + namespace + "}:";
	}

	String counter() {
		return this.prefix + "counter";
	}

	String lease(String resource) {
		return this.prefix + "lease:" + resource;
	}

	List<String> counterAndLease(String resource) {
		return List.of(counter(), lease(resource));
	}

}
