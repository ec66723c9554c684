package dev.fencing.benchmark.startup;

import dev.fencing.FencedLock;

/**
 * What the application has of this project.
 *
 * @since 0.1.0
 */
public enum StartupVariant {

	/**
	 * Nothing: it is not even on the class path.
	 */
	WITHOUT("without the starter"),

	/**
	 * The starter, and no method that takes a lock.
	 */
	UNUSED("with the starter, no locked method"),

	/**
	 * The starter, and a service whose methods take locks.
	 */
	LOCKED("with the starter");

	private final String title;

	StartupVariant(String title) {
		this.title = title;
	}

	/**
	 * Return its name in tables.
	 * @return the name; never null
	 */
	public String title() {
		return this.title;
	}

	/**
	 * Return whether the starter is on the class path.
	 * @return whether it is there
	 */
	boolean hasStarter() {
		return this != WITHOUT;
	}

	/**
	 * Return how many beans take locks with {@link FencedLock}.
	 * @return the number of beans
	 */
	int lockedBeans() {
		return (this == LOCKED) ? 1 : 0;
	}

}
