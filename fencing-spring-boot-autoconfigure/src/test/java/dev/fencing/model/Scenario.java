package dev.fencing.model;

/**
 * What is to be explored.
 *
 * @param protocol the rules that the owners follow
 * @param issuer how far Redis can be trusted
 * @param isolation what a transaction sees of the others
 * @param bounds how much may happen
 */
record Scenario(Protocol protocol, Issuer issuer, Isolation isolation, Bounds bounds) {

	boolean mayFail(State state) {
		return state.get(State.Shared.FAULTS) < this.bounds.faults();
	}

}
