package dev.fencing.model;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What was found.
 *
 * @param states how many states there are, up to the step that broke an invariant
 * @param time how long it took
 * @param taken everything that has happened in some of them
 * @param counterexample how an invariant was broken; null if none was
 */
record Exploration(int states, Duration time, Set<Action> taken, @Nullable Counterexample counterexample) {
}
