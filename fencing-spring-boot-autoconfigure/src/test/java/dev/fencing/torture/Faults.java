package dev.fencing.torture;

/**
 * How faults end.
 */
final class Faults {

	/**
	 * Of a fault that is over as soon as it has happened.
	 */
	static final Runnable OVER = () -> {
	};

	private Faults() {
	}

	/**
	 * Let a fault happen that is over at once.
	 */
	static Runnable over(Runnable fault) {
		fault.run();
		return OVER;
	}

}
