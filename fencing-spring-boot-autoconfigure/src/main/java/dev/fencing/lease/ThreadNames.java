package dev.fencing.lease;

/**
 * What operators see of a thread.
 */
final class ThreadNames {

	private ThreadNames() {
	}

	/**
	 * Return the name of a thread, or its number: virtual threads have no name unless
	 * they are given one.
	 */
	static String of(Thread thread) {
		String name = thread.getName();
		return name.isEmpty() ? "#" + thread.getId() : name;
	}

}
