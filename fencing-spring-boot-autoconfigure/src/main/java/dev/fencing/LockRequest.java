package dev.fencing;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What to lock and for how long. Immutable: each method returns a request of its own.
 *
 * <pre class=
 * "code">LockRequest.of("document").key(42).waitTime(Duration.ofSeconds(2))</pre>
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

	private final String name;

	private final @Nullable String key;

	private final @Nullable Duration leaseTime;

	private final @Nullable Duration waitTime;

	private final @Nullable Duration maxHold;

	private LockRequest(String name, @Nullable String key, @Nullable Duration leaseTime, @Nullable Duration waitTime,
			@Nullable Duration maxHold) {
		this.name = name;
		this.key = key;
		this.leaseTime = leaseTime;
		this.waitTime = waitTime;
		this.maxHold = maxHold;
	}

	/**
	 * Start a request.
	 * @param name the lock name: one of few values, not blank, without {@code :}
	 * @return a request for the resource that is called like the lock
	 * @throws IllegalArgumentException if the name cannot be one
	 */
	public static LockRequest of(String name) {
		return new LockRequest(ResourceNames.checkName(name), null, null, null, null);
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
		String text = ResourceNames.textOf(this.name, key);
		return new LockRequest(this.name, text, this.leaseTime, this.waitTime, this.maxHold);
	}

	/**
	 * Set how long the lease lasts unless it is renewed.
	 * @param leaseTime the lease time, at least {@value #MIN_LEASE_MILLIS} milliseconds;
	 * null for the default of {@code fencing.lock.lease-time}
	 * @return a request with that lease time
	 */
	public LockRequest leaseTime(@Nullable Duration leaseTime) {
		Assert.isTrue(leaseTime == null || leaseTime.compareTo(Duration.ofMillis(MIN_LEASE_MILLIS)) >= 0,
				() -> "The lease time of lock '%s' is %s: it must be at least %d ms".formatted(this.name, leaseTime,
						MIN_LEASE_MILLIS));
		return new LockRequest(this.name, this.key, leaseTime, this.waitTime, this.maxHold);
	}

	/**
	 * Set how long to wait while another owner holds the lease.
	 * @param waitTime the wait time, zero for a single attempt; null for the default of
	 * {@code fencing.lock.wait-time}
	 * @return a request with that wait time
	 */
	public LockRequest waitTime(@Nullable Duration waitTime) {
		Assert.isTrue(waitTime == null || !waitTime.isNegative(),
				() -> "The wait time of lock '%s' is %s: it must not be negative".formatted(this.name, waitTime));
		return new LockRequest(this.name, this.key, this.leaseTime, waitTime, this.maxHold);
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
		return new LockRequest(this.name, this.key, this.leaseTime, this.waitTime, maxHold);
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
	 * @return {@code name}, or {@code name:key} with a key; never null
	 */
	public String resource() {
		return ResourceNames.resource(this.name, this.key);
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
	 * Return the longest hold.
	 * @return the longest hold, or null for the default
	 */
	public @Nullable Duration maxHold() {
		return this.maxHold;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LockRequest that && this.name.equals(that.name) && Objects.equals(this.key, that.key)
				&& Objects.equals(this.leaseTime, that.leaseTime) && Objects.equals(this.waitTime, that.waitTime)
				&& Objects.equals(this.maxHold, that.maxHold);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.key);
	}

	@Override
	public String toString() {
		return "LockRequest[" + resource() + "]";
	}

}
