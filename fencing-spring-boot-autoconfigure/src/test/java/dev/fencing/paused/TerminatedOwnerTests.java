package dev.fencing.paused;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import dev.fencing.testsupport.RedisMonitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Worker A is told to end while it works under its lease: it ends its work first.
 */
@EnabledOnOs(value = { OS.LINUX, OS.MAC }, disabledReason = "Processes are told to end with SIGTERM")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TerminatedOwnerTests {

	/**
	 * What a JVM exits with that ended by itself after the signal: 128 and its number.
	 */
	private static final int TERMINATED = 143;

	@Test
	void ownerThatIsTerminatedEndsItsWorkUnderRenewalAndThenGivesWay() {
		try (WorkerPair workers = WorkerPair.start("spring.lifecycle.timeout-per-shutdown-phase=5m");
				RedisMonitor monitor = workers.monitor()) {
			long id = workers.newDocument();
			String resource = "document:" + id;
			String key = WorkerPair.leaseKey(resource);
			PausePoint point = PausePoint.BEFORE_COMMIT;
			workers.a().send(WorkerCommands.append(Writes.FENCED_JDBC, id, "-A", point));
			long first = workers.a().awaitPause(point);
			workers.a().terminate();
			WorkerPair.eventually()
				.until(() -> workers.a().log().stream().anyMatch((line) -> line.contains("LeaseLifecycle")));
			workers.b().send(WorkerCommands.append(Writes.FENCED_JDBC, id, "-B"));
			long before = count("PEXPIRE", monitor.callsOn(key));
			// A third of the lease time lies between two of them
			WorkerPair.eventually().until(() -> count("PEXPIRE", monitor.callsOn(key)) > before + 5);
			assertThat(workers.leasedGeneration(resource)).isEqualTo(first);
			assertThat(workers.b().isSilent()).isTrue();
			// Before the first, a lease may have been over when Redis had answered
			assertThat(grantsAndReleases(monitor, key)).endsWith("SET");
			workers.a().go();
			long second = workers.b().awaitDone();
			assertThat(second).isGreaterThan(first);
			assertThat(workers.a().awaitExit()).isEqualTo(TERMINATED);
			assertThat(workers.title(id)).isEqualTo("draft-A-B");
			assertThat(grantsAndReleases(monitor, key)).endsWith("SET", "DEL", "SET", "DEL");
			assertThat(workers.a().log()).noneMatch((line) -> line.contains(" WARN ") || line.contains(" ERROR "));
		}
	}

	private static List<String> grantsAndReleases(RedisMonitor monitor, String key) {
		return monitor.callsOn(key).stream().filter(List.of("SET", "DEL")::contains).toList();
	}

	private static long count(String command, List<String> calls) {
		return calls.stream().filter(command::equals).count();
	}

}
