package dev.fencing.torture;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * The same as {@link LocalScheduleTests} with processes that are really frozen and
 * killed, servers that are really restarted, and networks that are really cut.
 *
 * <p>
 * The system property {@value #SCHEDULES} says how many schedules there are, and the one
 * of {@link LocalScheduleTests} where they begin.
 */
@EnabledOnOs(value = { OS.LINUX, OS.MAC }, disabledReason = "Processes are frozen with SIGSTOP")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProcessScheduleTests {

	static final String SCHEDULES = "fencing.torture.process-schedules";

	private static final int CONTROL_SCHEDULES = 200;

	private final long firstSeed = Long.getLong(LocalScheduleTests.SEED,
			ThreadLocalRandom.current().nextLong(1_000_000_000));

	@Test
	@Timeout(value = 1, unit = TimeUnit.DAYS)
	void nothingIsLostWhateverBreaks() {
		int schedules = Integer.getInteger(SCHEDULES, 12);
		assertTimeoutPreemptively(Campaign.timeFor(schedules, Duration.ofSeconds(20)), () -> run(schedules));
	}

	private void run(int schedules) {
		try (ProcessArena arena = new ProcessArena(Protection.FENCED)) {
			if (System.getenv("CI") != null) {
				assertThat(arena.faults()).as("faults, with libfaketime").contains(Fault.CLOCK_STEPPED);
			}
			Campaign campaign = new Campaign(arena);
			campaign.runUntilViolation(this.firstSeed, schedules);
			System.out.println("First seed " + this.firstSeed + ": " + campaign.report());
			if (!arena.faults().contains(Fault.CLOCK_STEPPED)) {
				System.out.println("CLOCK_STEPPED is not available: there is no libfaketime");
			}
			assertThat(campaign.failed()).isEmpty();
			assertThat(campaign.takeovers()).isPositive();
			assertThat(arena.countsAgree()).isTrue();
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NONE", "ROW_GUARD" })
	void controlLosesUpdates(Protection protection) {
		try (ProcessArena arena = new ProcessArena(protection)) {
			Campaign campaign = new Campaign(arena);
			campaign.runUntilViolation(this.firstSeed, CONTROL_SCHEDULES);
			System.out.println("%s, first seed %d: violation after %d schedules".formatted(protection, this.firstSeed,
					campaign.schedules()));
			assertThat(campaign.failed()).isNotEmpty();
		}
	}

}
