package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The keys and channels of a namespace. Their hash tag comes first and is never empty:
 * whatever braces a resource holds, its lease is in the hash slot of its counter. Where
 * there are several partitions, the tag names the one that the resource belongs to.
 */
final class RedisKeys {

	private static final String LEASE = "}:lease:";

	private final String namespace;

	private final int partitions;

	RedisKeys(RedisLeaseSettings settings) {
		this.namespace = settings.namespace();
		this.partitions = settings.partitions();
	}

	/**
	 * Return the partition of a resource: the CRC-32 of its bytes, which every version
	 * and every language computes alike, modulo the number of partitions.
	 */
	int partition(String resource) {
		if (this.partitions == 1) {
			return 0;
		}
		CRC32 crc = new CRC32();
		crc.update(resource.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % this.partitions);
	}

	/**
	 * The counter of a resource, which it shares with all others of its partition.
	 */
	String counter(String resource) {
		return "{" + tag(resource) + "}:counter";
	}

	String lease(String resource) {
		return "{" + tag(resource) + LEASE + resource;
	}

	/**
	 * The channels of those who wait to hear of a release, the longest first.
	 */
	String waiting(String resource) {
		return "{" + tag(resource) + "}:waiting:" + resource;
	}

	/**
	 * The channel of one listener.
	 */
	String channel(String listener) {
		return "{" + this.namespace + "}:released:" + listener;
	}

	/**
	 * Return the resource that a lease is on.
	 */
	String resource(String lease) {
		// There is no brace in the tag
		return lease.substring(lease.indexOf(LEASE) + LEASE.length());
	}

	/**
	 * The keys of all leases, and then those of all who wait.
	 */
	List<String> leasesAndWaiting(List<String> resources) {
		return keys(resources, false, true);
	}

	/**
	 * The same with the counter of the resources first.
	 */
	List<String> counterLeasesAndWaiting(List<String> resources) {
		return keys(resources, true, true);
	}

	/**
	 * The counter of the resources, and the keys of all leases.
	 */
	List<String> counterAndLeases(List<String> resources) {
		return keys(resources, true, false);
	}

	List<String> leases(List<String> resources) {
		return keys(resources, false, false);
	}

	/**
	 * Every request asks for them, and streams would cost more than the rest of it.
	 */
	private List<String> keys(List<String> resources, boolean counter, boolean waiting) {
		List<String> keys = new ArrayList<>(2 * resources.size() + 1);
		if (counter) {
			keys.add(counter(resources.get(0)));
		}
		for (String resource : resources) {
			keys.add(lease(resource));
		}
		if (waiting) {
			for (String resource : resources) {
				keys.add(waiting(resource));
			}
		}
		return keys;
	}

	private String tag(String resource) {
		return (this.partitions > 1) ? this.namespace + ":" + partition(resource) : this.namespace;
	}

}
