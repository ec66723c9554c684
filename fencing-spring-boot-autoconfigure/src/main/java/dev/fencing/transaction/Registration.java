package dev.fencing.transaction;

/**
 * What the generation registry answers to a new owner.
 *
 * @since 0.1.0
 */
public sealed interface Registration {

	/**
	 * The owner is the registered one.
	 */
	record Accepted() implements Registration {
	}

	/**
	 * A token that is not smaller is registered already.
	 *
	 * @param current what is registered
	 */
	record Refused(RegisteredGeneration current) implements Registration {
	}

}
