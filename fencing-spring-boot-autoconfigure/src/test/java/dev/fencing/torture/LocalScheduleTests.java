package dev.fencing.torture;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Random schedules inside this process: whatever happens, no update is lost, and whoever
 * is refused was stale. The controls, which are protected by less than the library, lose
 * updates under the same schedules.
 *
 * <p>
 * The system property {@value #SCHEDULES} says how many there are, {@value #SEED} where
 * they begin: the first seed of a run is printed.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LocalScheduleTests {

	static final String SCHEDULES = "fencing.torture.local-schedules";

	static final String SEED = "fencing.torture.seed";

	private static final int CONTROL_SCHEDULES = 200;

	private static final int ENOUGH_FOR_ALL_FAULTS = 300;

	private final long firstSeed = Long.getLong(SEED, ThreadLocalRandom.current().nextLong(1_000_000_000));

	@Test
	@Timeout(value = 1, unit = TimeUnit.DAYS)
	void nothingIsLostWhateverHappens() {
		int schedules = Integer.getInteger(SCHEDULES, ENOUGH_FOR_ALL_FAULTS);
		assertTimeoutPreemptively(Campaign.timeFor(schedules, Duration.ofSeconds(2)), () -> run(schedules));
	}

	private void run(int schedules) {
		try (LocalArena arena = new LocalArena(Protection.FENCED)) {
			Campaign campaign = new Campaign(arena);
			campaign.runUntilViolation(this.firstSeed, schedules);
			System.out.println("First seed " + this.firstSeed + ": " + campaign.report());
			assertThat(campaign.failed()).isEmpty();
			assertThat(campaign.takeovers()).isGreaterThanOrEqualTo(schedules / 2);
			if (schedules >= ENOUGH_FOR_ALL_FAULTS) {
				assertThat(campaign.faults().keySet()).containsAll(arena.faults());
			}
			assertThat(arena.countsAgree()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = "FENCED", mode = EnumSource.Mode.EXCLUDE)
	void controlLosesUpdates(Protection protection) {
		try (LocalArena arena = new LocalArena(protection)) {
			Campaign campaign = new Campaign(arena);
			campaign.runUntilViolation(this.firstSeed, CONTROL_SCHEDULES);
			System.out.println("%s, first seed %d: violation after %d schedules".formatted(protection, this.firstSeed,
					campaign.schedules()));
			assertThat(campaign.failed()).isNotEmpty();
		}
	}

}
