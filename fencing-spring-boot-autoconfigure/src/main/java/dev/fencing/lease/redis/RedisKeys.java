package dev.fencing.lease.redis;

import java.util.List;
import java.util.stream.Stream;

/**
 * The keys and channels of a namespace. Their hash tag comes first and is never empty:
 * whatever braces a resource holds, its lease is in the hash slot of the counter.
 */
final class RedisKeys {

	static final int CHANNELS = 16;

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
	 * The key that exists while somebody waits to hear of a release.
	 */
	String waiting(String resource) {
		return this.prefix + "waiting:" + resource;
	}

	/**
	 * The channel on which releases of a resource are told: one of a fixed set, so that
	 * their number does not grow with that of the resources.
	 */
	String channel(String resource) {
		return this.prefix + "released:" + Math.floorMod(resource.hashCode(), CHANNELS);
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
