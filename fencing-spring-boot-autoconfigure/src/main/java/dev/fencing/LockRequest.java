package dev.fencing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.CollectionUtils;

/**
 * What to lock and for how long. Immutable: each method returns a request of its own.
 *
 * <pre class=
 * "code">LockRequest.of("document").key(42).waitTime(Duration.ofSeconds(2))</pre>
 *
 * <p>
 * The times apply where a lease is taken. Code that locks what it holds already runs
 * under the lease that it has.
 *
 * @since 0.1.0
 */
public final class LockRequest {

	/**
	 * The longest resource, in characters: as long as the registry's column.
	 */
	public static final int MAX_RESOURCE_LENGTH = 400;

	/**
	 * The shortest lease time, in milliseconds.
	 */
	public static final int MIN_LEASE_MILLIS = 10;

	/**
	 * The longest lease time, and the longest of the shortest holds.
	 */
	public static final Duration MAX_LEASE_TIME = Duration.ofDays(365);

	/**
	 * The greatest number of keys that can be locked as one.
	 */
	public static final int MAX_KEYS = 100;

	private final String name;

	private final List<String> resources;

	private final @Nullable Duration leaseTime;

	private final @Nullable Duration waitTime;

	private final @Nullable Duration minHold;

	private final @Nullable Duration maxHold;

	private LockRequest(String name, List<String> resources, @Nullable Duration leaseTime, @Nullable Duration waitTime,
			@Nullable Duration minHold, @Nullable Duration maxHold) {
		this.name = name;
		this.resources = resources;
		this.leaseTime = leaseTime;
		this.waitTime = waitTime;
		this.minHold = minHold;
		this.maxHold = maxHold;
		Assert.isTrue(minHold == null || maxHold == null || minHold.compareTo(maxHold) <= 0,
				() -> "The shortest hold of lock '%s' is %s, which is longer than the longest one, %s".formatted(name,
						minHold, maxHold));
	}

	/**
	 * Start a request.
	 * @param name the lock name: one of few values, not blank, without {@code :}
	 * @return a request for the resource that is called like the lock
	 * @throws IllegalArgumentException if the name cannot be one
	 */
	public static LockRequest of(String name) {
		return new LockRequest(name, List.of(ResourceNames.checkName(name)), null, null, null, null);
	}

	/**
	 * Lock one of the resources of this name.
	 * @param key text, a number, an enum constant, a UUID, a date or time of
	 * {@code java.time}
	 * @return a request for the resource {@code name:key}
	 * @throws IllegalArgumentException if the key is null, blank, has no textual identity
	 * of its own, or makes the resource longer than {@value #MAX_RESOURCE_LENGTH}
	 * characters
	 */
	public LockRequest key(@Nullable Object key) {
		return withResources(List.of(ResourceNames.resource(this.name, key)));
	}

	/**
	 * Lock several of the resources of this name, as one: all of them or none, under one
	 * generation. They are taken in the order of their names, each once, so that requests
	 * that name the same keys in another order wait for each other, but never for ever.
	 * All have to be free at the same time: where other processes keep taking single
	 * ones, that may take longer, up to the wait time.
	 * @param keys at least one and at most {@value #MAX_KEYS} values as for
	 * {@link #key(Object)}
	 * @return a request for the resources {@code name:key}
	 * @throws IllegalArgumentException if there is no key, one cannot be a key, or there
	 * are too many
	 */
	public LockRequest keys(@Nullable Collection<? extends @Nullable Object> keys) {
		Assert.isTrue(!CollectionUtils.isEmpty(keys),
				() -> "The keys of lock '%s' are null or empty: nothing would be locked".formatted(this.name));
		List<String> sorted = keys.stream()
			.map((key) -> ResourceNames.resource(this.name, key))
			.distinct()
			.sorted()
			.toList();
		Assert.isTrue(sorted.size() <= MAX_KEYS, () -> "Lock '%s' was given %d keys: at most %d can be locked as one"
			.formatted(this.name, sorted.size(), MAX_KEYS));
		return withResources(sorted);
	}

	private LockRequest withResources(List<String> resources) {
		return new LockRequest(this.name, resources, this.leaseTime, this.waitTime, this.minHold, this.maxHold);
	}

	/**
	 * Set how long the lease lasts unless it is renewed.
	 * @param leaseTime the lease time, at least {@value #MIN_LEASE_MILLIS} milliseconds;
	 * null for the default of {@code fencing.lock.lease-time}
	 * @return a request with that lease time
	 */
	public LockRequest leaseTime(@Nullable Duration leaseTime) {
		Assert.isTrue(
				leaseTime == null || (leaseTime.compareTo(Duration.ofMillis(MIN_LEASE_MILLIS)) >= 0
						&& leaseTime.compareTo(MAX_LEASE_TIME) <= 0),
				() -> "The lease time of lock '%s' is %s: it must be at least %d ms, and at most %d days"
					.formatted(this.name, leaseTime, MIN_LEASE_MILLIS, MAX_LEASE_TIME.toDays()));
		return new LockRequest(this.name, this.resources, leaseTime, this.waitTime, this.minHold, this.maxHold);
	}

	/**
	 * Set how long to wait while another owner holds the lease. The registration in the
	 * database, which follows, has a time of its own,
	 * {@code fencing.jdbc.registration-timeout}.
	 * @param waitTime the wait time, zero for a single attempt; null for the default of
	 * {@code fencing.lock.wait-time}
	 * @return a request with that wait time
	 */
	public LockRequest waitTime(@Nullable Duration waitTime) {
		Assert.isTrue(waitTime == null || !waitTime.isNegative(),
				() -> "The wait time of lock '%s' is %s: it must not be negative".formatted(this.name, waitTime));
		return new LockRequest(this.name, this.resources, this.leaseTime, waitTime, this.minHold, this.maxHold);
	}

	/**
	 * Set for how long nobody else gets the lease, also when the work is done or fails
	 * sooner: for a job that several instances start at about the same time, and that
	 * takes less than their clocks differ. A crash ends the lease sooner if the lease
	 * time is shorter.
	 * @param minHold the shortest hold, counted from the acquisition; null for none
	 * @return a request with that shortest hold
	 */
	public LockRequest minHold(@Nullable Duration minHold) {
		Assert.isTrue(minHold == null || (!minHold.isNegative() && minHold.compareTo(MAX_LEASE_TIME) <= 0),
				() -> "The shortest hold of lock '%s' is %s: it must not be negative, and at most %d days"
					.formatted(this.name, minHold, MAX_LEASE_TIME.toDays()));
		return new LockRequest(this.name, this.resources, this.leaseTime, this.waitTime, minHold, this.maxHold);
	}

	/**
	 * Set the time after which the lease is not renewed any more.
	 * @param maxHold the longest hold, counted from the acquisition; null for the default
	 * of {@code fencing.lock.max-hold}
	 * @return a request with that longest hold
	 */
	public LockRequest maxHold(@Nullable Duration maxHold) {
		Assert.isTrue(maxHold == null || maxHold.compareTo(Duration.ofMillis(MIN_LEASE_MILLIS)) >= 0,
				() -> "The longest hold of lock '%s' is %s: it must be at least %d ms".formatted(this.name, maxHold,
						MIN_LEASE_MILLIS));
		return new LockRequest(this.name, this.resources, this.leaseTime, this.waitTime, this.minHold, maxHold);
	}

	/**
	 * Return the lock name.
	 * @return the name; never null
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Return what is leased and fenced.
	 * @return {@code name}, or {@code name:key} with a key: the first one if there are
	 * several; never null
	 */
	public String resource() {
		return this.resources.get(0);
	}

	/**
	 * Return all that is leased and fenced.
	 * @return the resources in the order in which they are taken, each once; never empty
	 */
	public List<String> resources() {
		return this.resources;
	}

	/**
	 * Return the lease time.
	 * @return the lease time, or null for the default
	 */
	public @Nullable Duration leaseTime() {
		return this.leaseTime;
	}

	/**
	 * Return the wait time.
	 * @return the wait time, or null for the default
	 */
	public @Nullable Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * Return the shortest hold.
	 * @return the shortest hold, or null for none
	 */
	public @Nullable Duration minHold() {
		return this.minHold;
	}

	/**
	 * Return the longest hold.
	 * @return the longest hold, or null for the default
	 */
	public @Nullable Duration maxHold() {
		return this.maxHold;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LockRequest that && this.name.equals(that.name) && this.resources.equals(that.resources)
				&& Objects.equals(this.leaseTime, that.leaseTime) && Objects.equals(this.waitTime, that.waitTime)
				&& Objects.equals(this.minHold, that.minHold) && Objects.equals(this.maxHold, that.maxHold);
	}

	@Override
	public int hashCode() {
		return this.resources.hashCode();
	}

	@Override
	public String toString() {
		return "LockRequest" + this.resources;
	}

}
