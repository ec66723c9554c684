package dev.fencing.model;

import java.util.List;

/**
 * A shortest way to break an invariant.
 *
 * @param invariant what is broken
 * @param steps what happens, in this order
 */
record Counterexample(Invariant invariant, List<String> steps) {

	@Override
	public String toString() {
		return this.invariant + ":\n" + String.join("\n", this.steps);
	}

}
