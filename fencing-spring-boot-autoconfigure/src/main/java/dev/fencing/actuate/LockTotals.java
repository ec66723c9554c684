package dev.fencing.actuate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.PerLock;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;

/**
 * Counts for each lock name what has happened since the start, so that the endpoint tells
 * it without a meter registry too. Thread-safe.
 *
 * @since 0.1.0
 */
public final class LockTotals implements FencingListener {

	private final PerLock<Counts> locks = new PerLock<>((lock) -> new Counts());

	@Override
	public void lockKnown(String lock) {
		this.locks.get(lock);
	}

	@Override
	public void acquisitionEnded(String lock, AcquisitionOutcome outcome, Duration waited) {
		this.locks.get(lock).ended(outcome);
	}

	@Override
	public void renewalFailed(FencingContext context, Throwable failure) {
		this.locks.get(context.name()).renewalFailures.increment();
	}

	@Override
	public void leaseLost(FencingContext context) {
		this.locks.get(context.name()).lost.increment();
	}

	@Override
	public void rejected(Rejection rejection) {
		this.locks.get(rejection.lock()).rejected(rejection.guard(), rejection.reason());
	}

	@Override
	public void issuerRegressed(Rejection rejection) {
		this.locks.get(rejection.lock()).issuerRegressions.increment();
	}

	/**
	 * Return what was counted.
	 * @return the totals, in the order of the lock names; never null
	 */
	List<FencingReport.Totals> report() {
		List<FencingReport.Totals> totals = new ArrayList<>();
		this.locks.all().forEach((lock, counts) -> totals.add(counts.report(lock)));
		return totals;
	}

	/**
	 * What was counted for one lock name.
	 */
	private static final class Counts {

		private final Map<AcquisitionOutcome, LongAdder> outcomes = adders(AcquisitionOutcome.class);

		private final Map<Guard, Map<Reason, LongAdder>> rejected = new EnumMap<>(Guard.class);

		private final LongAdder lost = new LongAdder();

		private final LongAdder renewalFailures = new LongAdder();

		private final LongAdder issuerRegressions = new LongAdder();

		Counts() {
			for (Guard guard : Guard.values()) {
				this.rejected.put(guard, adders(Reason.class));
			}
		}

		void rejected(Guard guard, Reason reason) {
			increment(this.rejected.getOrDefault(guard, Map.of()), reason);
		}

		void ended(AcquisitionOutcome outcome) {
			increment(this.outcomes, outcome);
		}

		FencingReport.Totals report(String lock) {
			List<FencingReport.RejectionCount> counts = new ArrayList<>();
			this.rejected.forEach((guard, reasons) -> reasons.forEach((reason, count) -> {
				if (count.sum() > 0) {
					counts.add(new FencingReport.RejectionCount(guard.tag(), reason.tag(), count.sum()));
				}
			}));
			return new FencingReport.Totals(lock, count(AcquisitionOutcome.ACQUIRED),
					count(AcquisitionOutcome.UNAVAILABLE), count(AcquisitionOutcome.SKIPPED),
					count(AcquisitionOutcome.FAILED), this.lost.sum(), this.renewalFailures.sum(),
					this.issuerRegressions.sum(), counts);
		}

		private long count(AcquisitionOutcome outcome) {
			LongAdder count = this.outcomes.get(outcome);
			return (count != null) ? count.sum() : 0;
		}

		private static <K extends Enum<K>> Map<K, LongAdder> adders(Class<K> type) {
			Map<K, LongAdder> adders = new EnumMap<>(type);
			for (K constant : type.getEnumConstants()) {
				adders.put(constant, new LongAdder());
			}
			return adders;
		}

		private static <K> void increment(Map<K, LongAdder> adders, K key) {
			LongAdder adder = adders.get(key);
			if (adder != null) {
				adder.increment();
			}
		}

	}

}
