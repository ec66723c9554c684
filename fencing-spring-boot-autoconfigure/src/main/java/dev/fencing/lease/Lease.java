package dev.fencing.lease;

import java.util.List;

import org.springframework.util.Assert;

/**
 * A lease that was granted: of one resource, or of several under one number.
 *
 * @param resources what was taken, without duplicates; never empty
 * @param nonce the random id of the acquisition
 * @param generation the number of the acquisition
 * @since 0.1.0
 */
public record Lease(List<String> resources, String nonce, long generation) {

	/**
	 * Create a lease.
	 * @throws IllegalArgumentException if there is no resource
	 */
	public Lease {
		Assert.notEmpty(resources, "A lease is of at least one resource");
		resources = List.copyOf(resources);
	}

	/**
	 * Create a lease of one resource.
	 * @param resource what was taken
	 * @param nonce the random id of the acquisition
	 * @param generation the number of the acquisition
	 */
	public Lease(String resource, String nonce, long generation) {
		this(List.of(resource), nonce, generation);
	}

	/**
	 * Return the same acquisition's lease under another number.
	 * @param generation the number
	 * @return a lease that differs in its generation only; never null
	 */
	public Lease withGeneration(long generation) {
		return new Lease(this.resources, this.nonce, generation);
	}

}
