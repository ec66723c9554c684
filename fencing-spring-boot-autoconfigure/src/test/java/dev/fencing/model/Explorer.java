package dev.fencing.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Looks at every state that can be reached, those first that take the fewest steps, so
 * that the first counterexample is a shortest one.
 */
final class Explorer {

	private final Scenario scenario;

	private final Set<Invariant> invariants;

	private final List<Steps> steps;

	private final StateSpace space;

	private final Set<Action> taken = EnumSet.noneOf(Action.class);

	private @Nullable Found found;

	private Explorer(Scenario scenario, Set<Invariant> invariants) {
		this.scenario = scenario;
		this.invariants = invariants;
		this.steps = List.of(new TransactionSteps(scenario), new CommitSteps(scenario), new RegistrySteps(scenario),
				new LeaseSteps(scenario));
		this.space = new StateSpace(State.width(scenario.bounds().owners()));
	}

	/**
	 * Look for a step that breaks an invariant.
	 * @param scenario what may happen
	 * @param invariants what is to be true
	 */
	static Exploration explore(Scenario scenario, Set<Invariant> invariants) {
		return new Explorer(scenario, invariants).explore();
	}

	private Exploration explore() {
		long start = System.nanoTime();
		this.space.add(initial(), -1);
		for (int i = 0; i < this.space.size() && this.found == null; i++) {
			look(this.space.get(i), i);
		}
		Counterexample counterexample = (this.found != null) ? trace(this.found) : null;
		return new Exploration(this.space.size(), Duration.ofNanos(System.nanoTime() - start), this.taken,
				counterexample);
	}

	private State initial() {
		return State.initial(this.scenario.bounds().owners());
	}

	private void look(State before, int index) {
		boolean[] goesOn = new boolean[1];
		successors(before, (action, owner, after) -> {
			this.taken.add(action);
			goesOn[0] |= !action.isFault();
			if (this.found == null) {
				this.found = find(index, brokenBy(before, action, owner, after), false);
				this.space.add(after.canonical(), index);
			}
		});
		if (!goesOn[0] && this.found == null) {
			this.found = find(index, brokenAtRest(before), true);
		}
	}

	private static @Nullable Found find(int index, @Nullable Invariant broken, boolean atRest) {
		return (broken != null) ? new Found(index, broken, atRest) : null;
	}

	private @Nullable Invariant brokenBy(State before, Action action, int owner, State after) {
		for (Invariant invariant : this.invariants) {
			if (!invariant.holds(this.scenario, before, action, owner, after)) {
				return invariant;
			}
		}
		return null;
	}

	private @Nullable Invariant brokenAtRest(State state) {
		for (Invariant invariant : this.invariants) {
			if (!invariant.holdsAtRest(state)) {
				return invariant;
			}
		}
		return null;
	}

	private void successors(State before, Steps.Next next) {
		for (Steps part : this.steps) {
			part.from(before, next);
		}
	}

	/**
	 * Go the way again, under names that do not change on it.
	 */
	private Counterexample trace(Found end) {
		List<String> told = new ArrayList<>();
		State state = initial();
		List<Integer> path = this.space.pathTo(end.index());
		for (int index : path.subList(1, path.size())) {
			State wanted = this.space.get(index);
			state = take(state, told, (before, action, owner, after) -> after.canonical().equals(wanted));
		}
		if (!end.atRest()) {
			take(state, told, (before, action, owner, after) -> brokenBy(before, action, owner, after) == end.broken());
		}
		return new Counterexample(end.broken(), told);
	}

	private State take(State before, List<String> told, Wanted wanted) {
		List<State> found = new ArrayList<>();
		successors(before, (action, owner, after) -> {
			if (found.isEmpty() && wanted.is(before, action, owner, after)) {
				found.add(after);
				told.add(action.describe(owner, after));
			}
		});
		return found.get(0);
	}

	/**
	 * Where an invariant is broken.
	 *
	 * @param index the state
	 * @param broken the invariant
	 * @param atRest whether in this state, and not by a step from it
	 */
	private record Found(int index, Invariant broken, boolean atRest) {
	}

	/**
	 * Tells the step that is looked for.
	 */
	@FunctionalInterface
	private interface Wanted {

		boolean is(State before, Action action, int owner, State after);

	}

}
