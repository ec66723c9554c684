package dev.fencing.lease.redis;

import java.util.List;
import java.util.stream.Stream;

/**
 * The keys and channels of a namespace. Their hash tag comes first and is never empty:
 * whatever braces a resource holds, its lease is in the hash slot of the counter.
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

	/**
	 * The channels of those who wait to hear of a release, the longest first.
	 */
	String waiting(String resource) {
		return this.prefix + "waiting:" + resource;
	}

	/**
	 * The channel of one listener.
	 */
	String channel(String listener) {
		return this.prefix + "released:" + listener;
	}

	/**
	 * Return the resource that a lease is on.
	 */
	String resource(String lease) {
		return lease.substring(lease("").length());
	}

	/**
	 * The keys of all leases, and then those of all who wait.
	 */
	List<String> leasesAndWaiting(List<String> resources) {
		return Stream.concat(resources.stream().map(this::lease), resources.stream().map(this::waiting)).toList();
	}

	/**
	 * The same with the counter first.
	 */
	List<String> counterAnd(List<String> keys) {
		return Stream.concat(Stream.of(counter()), keys.stream()).toList();
	}

	List<String> leases(List<String> resources) {
		return resources.stream().map(this::lease).toList();
	}

}
