package dev.fencing.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Many schedules, one after the other, and what there is to say of them together.
 */
final class Campaign {

	private final Arena arena;

	private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);

	private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

	private final Map<String, Integer> rejections = new TreeMap<>();

	private final List<Long> recoveries = new ArrayList<>();

	private final List<Schedule.Result> failed = new ArrayList<>();

	private final long start = System.nanoTime();

	private int schedules;

	private int takeovers;

	Campaign(Arena arena) {
		this.arena = arena;
	}

	/**
	 * Run one more schedule.
	 */
	Schedule.Result run(long seed) {
		Schedule.Result result = new Schedule(this.arena, seed, this.schedules++).run();
		result.outcomes().values().forEach((outcome) -> this.outcomes.merge(outcome, 1, Integer::sum));
		result.faults().forEach((fault) -> this.faults.merge(fault, 1, Integer::sum));
		Rejections.byKind(result.rejections())
			.forEach((kind, count) -> this.rejections.merge(kind, count, Integer::sum));
		this.recoveries.add(result.recoveryNanos());
		this.takeovers += result.hasTakeover() ? 1 : 0;
		if (!result.violations().isEmpty()) {
			this.failed.add(result);
		}
		return result;
	}

	/**
	 * Run schedules until one of them violates an invariant.
	 * @param firstSeed the seed of the first one; the others follow it
	 * @param most how many there are at most
	 */
	void runUntilViolation(long firstSeed, int most) {
		while (this.failed.isEmpty() && this.schedules < most) {
			run(firstSeed + this.schedules);
		}
	}

	/**
	 * Return for how long a number of schedules may run, which is much longer than they
	 * take.
	 */
	static Duration timeFor(int schedules, Duration each) {
		Duration shortest = Duration.ofMinutes(10);
		Duration all = each.multipliedBy(schedules);
		return (all.compareTo(shortest) > 0) ? all : shortest;
	}

	/**
	 * Return what has gone wrong, and how often.
	 */
	Map<Fault, Integer> faults() {
		return this.faults;
	}

	int schedules() {
		return this.schedules;
	}

	/**
	 * Return in how many schedules a stale owner has come to the database.
	 */
	int takeovers() {
		return this.takeovers;
	}

	/**
	 * Return the schedules that have violated an invariant.
	 */
	List<Schedule.Result> failed() {
		return this.failed;
	}

	String report() {
		List<Long> sorted = this.recoveries.stream().sorted().toList();
		return """
				%d schedules in %d s, %d of them with a stale owner at the database, %d with violations
				operations %s
				faults %s
				rejections %s
				recovery in ms: median %s, p90 %s, p99 %s, longest %s""".formatted(this.schedules,
				TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.start), this.takeovers, this.failed.size(),
				this.outcomes, this.faults, this.rejections, millis(sorted, 50), millis(sorted, 90), millis(sorted, 99),
				millis(sorted, 100));
	}

	private static String millis(List<Long> sorted, int percent) {
		int index = Math.min(sorted.size() - 1, sorted.size() * percent / 100);
		return "%.1f".formatted(sorted.get(index) / 1e6);
	}

}
