package dev.fencing.benchmark.lease;

import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.fencing.benchmark.Bench;
import dev.fencing.benchmark.BenchCase.Measurement;
import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.peer.PeerKind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the benches with several processes in small, and looks whether what comes out can
 * be true. It measures nothing.
 */
@Tag("smoke")
@Timeout(60)
class ProcessBenchesTests {

	private static final Scale SMOKE = new Scale(1, true);

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource("handovers")
	void lockIsHandedOver(String subject, String setting, Measurement measurement) throws Exception {
		Map<String, Double> values = measurement.measure();
		if (setting.equals(HandoverBench.KILLED)) {
			assertThat(values).containsOnlyKeys(KilledHolderMeasurement.MEDIAN, KilledHolderMeasurement.WORST);
			// Redis tells milliseconds: nobody has it two of them before its time
			assertThat(values.get(KilledHolderMeasurement.MEDIAN)).isGreaterThan(-2);
			return;
		}
		assertThat(values).containsOnlyKeys(HandoverMeasurement.MEDIAN, HandoverMeasurement.P90,
				HandoverMeasurement.P99, HandoverMeasurement.COUNT);
		// The one that asks ten times a second may miss every chance in so short a time
		if (!subject.equals(PeerKind.INTEGRATION_SPIN.title())) {
			assertThat(values.get(HandoverMeasurement.COUNT)).isPositive();
			assertThat(values.get(HandoverMeasurement.MEDIAN)).isPositive();
			assertThat(values.get(HandoverMeasurement.P90))
				.isGreaterThanOrEqualTo(values.get(HandoverMeasurement.MEDIAN));
			assertThat(values.get(HandoverMeasurement.P99)).isGreaterThanOrEqualTo(values.get(HandoverMeasurement.P90));
		}
	}

	static Stream<Arguments> handovers() {
		return cases(new HandoverBench());
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("herds")
	void herdGetsLock(String subject, String setting, Measurement measurement) throws Exception {
		Map<String, Double> values = measurement.measure();
		assertThat(values).containsOnlyKeys(HerdBench.GRANTS, HerdBench.ATTEMPTS, HerdBench.COMMANDS, HerdBench.MEDIAN,
				HerdBench.LONGEST);
		// With 1 ms of work there cannot be more
		assertThat(values.get(HerdBench.GRANTS)).isPositive().isLessThan(1000);
		assertThat(values.get(HerdBench.COMMANDS)).isPositive();
		assertThat(values.get(HerdBench.MEDIAN)).isPositive();
		assertThat(values.get(HerdBench.LONGEST)).isGreaterThanOrEqualTo(values.get(HerdBench.MEDIAN));
	}

	static Stream<Arguments> herds() {
		return cases(new HerdBench());
	}

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource("heldLeases")
	void leasesAreHeld(String subject, String setting, Measurement measurement) throws Exception {
		Map<String, Double> values = measurement.measure();
		assertThat(values).containsOnlyKeys(HeldLeasesBench.WIRE, HeldLeasesBench.COMMANDS, HeldLeasesBench.CPU,
				HeldLeasesBench.LOST);
		assertThat(values.get(HeldLeasesBench.LOST)).isZero();
		assertThat(values.get(HeldLeasesBench.WIRE)).isPositive();
		assertThat(values.get(HeldLeasesBench.COMMANDS)).isGreaterThan(values.get(HeldLeasesBench.WIRE));
		assertThat(values.get(HeldLeasesBench.CPU)).isPositive();
	}

	static Stream<Arguments> heldLeases() {
		return cases(new HeldLeasesBench());
	}

	private static Stream<Arguments> cases(Bench bench) {
		return bench.cases(SMOKE)
			.stream()
			.map((benchCase) -> Arguments.of(benchCase.subject(), benchCase.setting(), benchCase.measurement()));
	}

}
