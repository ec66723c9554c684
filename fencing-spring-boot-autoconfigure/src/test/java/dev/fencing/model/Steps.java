package dev.fencing.model;

/**
 * A part of what can happen.
 */
interface Steps {

	/**
	 * Tell everything that can happen next.
	 * @param before the state, which is not changed
	 * @param next told of each possible successor
	 */
	void from(State before, Next next);

	/**
	 * Told of what can happen next.
	 */
	@FunctionalInterface
	interface Next {

		/**
		 * Take one possible successor.
		 * @param action what happens
		 * @param owner to whom, or 0
		 * @param after the state afterwards
		 */
		void take(Action action, int owner, State after);

		/**
		 * Take a successor that counts as a fault, if its action is one.
		 */
		default void happens(Action action, int owner, State after) {
			if (action.isFault()) {
				after.increment(action.isLoss() ? State.Shared.LOSSES : State.Shared.FAULTS);
			}
			take(action, owner, after);
		}

	}

}
