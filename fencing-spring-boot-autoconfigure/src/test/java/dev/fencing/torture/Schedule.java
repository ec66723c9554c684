package dev.fencing.torture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

import dev.fencing.Rejection;

/**
 * One run of a few operations on two accounts, by workers that take turns step by step,
 * with faults in between. What happens next is drawn from a seed, so that the same seed
 * gives the same run, as far as the arena lets it.
 */
final class Schedule {

	private static final int OPERATIONS = 6;

	private static final int MAX_ATTEMPTS = 5;

	/**
	 * One more of those that a late commit of their own may harm.
	 */
	private static final List<Operation.Kind> KINDS = List.of(Operation.Kind.INCREMENT, Operation.Kind.APPEND,
			Operation.Kind.TRANSFER, Operation.Kind.REPLACE, Operation.Kind.TWICE, Operation.Kind.TWICE);

	private final Arena arena;

	private final long seed;

	private final Random random;

	private final List<Integer> accounts;

	private final Deque<Operation> pending = new ArrayDeque<>();

	private final Map<Integer, Integer> attempts = new LinkedHashMap<>();

	private final Map<Operation, Outcome> outcomes = new LinkedHashMap<>();

	private final List<Fault> faults = new ArrayList<>();

	private final List<Runnable> endings = new ArrayList<>();

	/**
	 * Workers that have lost their lease, and are held back for a while.
	 */
	private final Map<Worker, Boolean> stale = new IdentityHashMap<>();

	private final List<String> trace = new ArrayList<>();

	private final Stall stall = new Stall(Stall.LONGEST);

	private boolean faultless;

	private int faultsLeft;

	private int operations;

	/**
	 * Create a schedule.
	 * @param arena where it runs
	 * @param seed what is drawn from
	 * @param number tells its accounts from those of all others in the arena
	 */
	Schedule(Arena arena, long seed, int number) {
		this.arena = arena;
		this.seed = seed;
		this.random = new Random(seed);
		this.accounts = List.of(2 * number + 1, 2 * number + 2);
		this.operations = number * 100;
	}

	/**
	 * Run it.
	 * @throws IllegalStateException if it cannot go on; tells how it came to that
	 */
	Result run() {
		try {
			return play();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new IllegalStateException("Seed %d: %s%n%s".formatted(this.seed, ex, String.join("\n", this.trace)),
					ex);
		}
	}

	private Result play() {
		this.arena.accounts().create(this.accounts);
		this.trace.add(this.arena.prepare(this.random));
		this.faultless = this.arena.hasReliableLeases() && this.random.nextInt(10) == 0;
		this.faultsLeft = this.faultless ? 0 : 1 + this.random.nextInt(3);
		for (int i = 0; i < OPERATIONS; i++) {
			this.pending.add(draw());
		}
		while (!isOver()) {
			step();
		}
		this.endings.forEach(Runnable::run);
		List<String> violations = new ArrayList<>();
		if (this.arena.isFenced()) {
			this.arena.forgottenLeases(this.accounts).forEach((lease) -> violations.add("I8: " + lease));
		}
		long start = System.nanoTime();
		if (!recovers()) {
			violations.add("I8: nobody gets to work within " + this.arena.recoveryTime());
		}
		long recovery = System.nanoTime() - start;
		List<Rejection> rejections = this.arena.takeRejections();
		Books books = this.arena.accounts().read(this.accounts);
		violations.addAll(Verdict.of(this.arena.isFenced(), this.outcomes, books, rejections));
		if (this.faultless && this.arena.isFenced()) {
			violations.addAll(Verdict.ofFaultless(this.outcomes, rejections));
		}
		return new Result(this.seed, this.trace, this.outcomes, this.faults, rejections, recovery, violations);
	}

	private Operation draw() {
		Operation.Kind kind = pick(KINDS);
		boolean both = kind == Operation.Kind.TRANSFER && this.arena.isFenced();
		List<Integer> on = both ? this.accounts : List.of(pick(this.accounts));
		if ((kind == Operation.Kind.TRANSFER || kind == Operation.Kind.TWICE) && !this.arena.isFenced()) {
			kind = Operation.Kind.INCREMENT;
		}
		Operation.Style style = pick(List.of(Operation.Style.values()));
		return new Operation(this.operations++, kind, on, style, this.random.nextInt(4) == 0);
	}

	private boolean isOver() {
		checkStall();
		collect();
		return this.pending.isEmpty()
				&& this.arena.workers().stream().allMatch((worker) -> worker.state() == Worker.State.IDLE);
	}

	private void checkStall() {
		List<String> workers = this.arena.workers()
			.stream()
			.map((worker) -> "%s %s at %s".formatted(name(worker), worker.state(), worker.stop()))
			.toList();
		this.stall.check(this.trace.size() + " steps, " + workers);
	}

	private void step() {
		this.arena.settle();
		collect();
		List<Choice> choices = choices();
		if (choices.isEmpty()) {
			this.arena.await();
			return;
		}
		int left = this.random.nextInt(choices.stream().mapToInt(Choice::weight).sum());
		for (Choice choice : choices) {
			left -= choice.weight();
			if (left < 0) {
				choice.action().run();
				return;
			}
		}
	}

	private List<Choice> choices() {
		List<Choice> choices = new ArrayList<>();
		boolean someoneWorks = false;
		for (Worker worker : this.arena.workers()) {
			if (worker.state() == Worker.State.IDLE && !this.pending.isEmpty()) {
				choices.add(new Choice(20, () -> begin(worker, this.pending.remove())));
			}
			Stop stop = worker.stop();
			if (stop != null) {
				choices.add(new Choice(this.stale.containsKey(worker) ? 1 : 20, () -> goOn(worker, stop)));
				someoneWorks |= stop.isAtWork() && !this.stale.containsKey(worker);
			}
		}
		if (this.faultsLeft > 0 && someoneWorks) {
			choices.add(new Choice(20, this::inject));
		}
		// What nobody can wait for any more has to end
		if (!this.endings.isEmpty()) {
			choices.add(new Choice(choices.isEmpty() ? 1 : 4,
					() -> this.endings.remove(this.random.nextInt(this.endings.size())).run()));
		}
		return choices;
	}

	private void begin(Worker worker, Operation operation) {
		this.trace.add("%s begins %s".formatted(name(worker), operation));
		this.stale.remove(worker);
		worker.begin(operation);
	}

	private void goOn(Worker worker, Stop stop) {
		this.trace.add("%s goes on from %s".formatted(name(worker), stop));
		worker.goOn();
	}

	private void inject() {
		this.faultsLeft--;
		Fault fault = drawFault();
		List<? extends Worker> atWork = this.arena.workers()
			.stream()
			.filter((worker) -> isAtWork(worker) && !this.stale.containsKey(worker))
			.toList();
		Worker victim = pick(atWork);
		Runnable end = this.arena.inject(fault, victim, this.random);
		if (end == null) {
			return;
		}
		this.trace.add("%s at %s of %s".formatted(fault, victim.stop(), name(victim)));
		this.faults.add(fault);
		this.endings.add(() -> {
			this.trace.add("end of " + fault);
			end.run();
		});
		if (fault.costsLeases()) {
			this.arena.workers().stream().filter(Schedule::isAtWork).forEach((worker) -> this.stale.put(worker, true));
		}
	}

	/**
	 * Most of all it is to be about takeovers.
	 */
	private Fault drawFault() {
		Fault fault = pick(this.arena.faults());
		while (this.faults.isEmpty() && !fault.costsLeases() && this.random.nextInt(4) > 0) {
			fault = pick(this.arena.faults());
		}
		return fault;
	}

	private static boolean isAtWork(Worker worker) {
		Stop stop = worker.stop();
		return stop != null && stop.isAtWork();
	}

	private void collect() {
		for (Worker worker : this.arena.workers()) {
			if (worker.state() == Worker.State.ENDED) {
				Operation operation = Objects.requireNonNull(worker.operation());
				Outcome outcome = worker.takeOutcome();
				this.stale.remove(worker);
				this.trace.add("%s has %s: %s".formatted(name(worker), operation.id(), outcome));
				boolean again = outcome == Outcome.UNAVAILABLE
						&& this.attempts.merge(operation.id(), 1, Integer::sum) < MAX_ATTEMPTS;
				if (again) {
					this.pending.add(operation);
				}
				else {
					this.outcomes.put(operation, outcome);
				}
			}
		}
	}

	/**
	 * Return whether, all faults being over, an operation is done on each account before
	 * the time is over.
	 */
	private boolean recovers() {
		long deadline = System.nanoTime() + this.arena.recoveryTime().toNanos();
		this.arena.calm(this.accounts);
		Worker worker = pick(this.arena.workers());
		for (Integer account : this.accounts) {
			Outcome outcome;
			do {
				if (System.nanoTime() - deadline > 0) {
					return false;
				}
				Operation operation = new Operation(this.operations++, Operation.Kind.INCREMENT, List.of(account),
						Operation.Style.PLAIN, false);
				worker.begin(operation);
				outcome = runToTheEnd(worker);
				this.outcomes.put(operation, outcome);
			}
			while (outcome != Outcome.ACKNOWLEDGED);
		}
		return true;
	}

	private Outcome runToTheEnd(Worker worker) {
		while (worker.state() != Worker.State.ENDED) {
			checkStall();
			if (worker.state() == Worker.State.STOPPED) {
				worker.goOn();
			}
			this.arena.settle();
		}
		return worker.takeOutcome();
	}

	private String name(Worker worker) {
		return "worker " + this.arena.workers().indexOf(worker);
	}

	private <T> T pick(List<T> list) {
		return list.get(this.random.nextInt(list.size()));
	}

	/**
	 * What can happen next, and how likely it is.
	 */
	private record Choice(int weight, Runnable action) {
	}

	/**
	 * What became of a schedule.
	 */
	record Result(long seed, List<String> trace, Map<Operation, Outcome> outcomes, List<Fault> faults,
			List<Rejection> rejections, long recoveryNanos, List<String> violations) {

		/**
		 * Return whether a stale owner has come to the database.
		 */
		boolean hasTakeover() {
			return this.rejections.stream()
				.anyMatch((rejection) -> rejection.guard() != Rejection.Guard.LEASE
						&& rejection.reason() == Rejection.Reason.STALE);
		}

		@Override
		public String toString() {
			return "Seed %d: %s%n%s".formatted(this.seed, this.violations, String.join("\n", this.trace));
		}

	}

}
