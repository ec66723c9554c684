package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LockRequest;
import dev.fencing.testsupport.RedisMonitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several resources are taken in the order of their names, and given back the other way
 * round.
 */
@Timeout(30)
class ReleaseOrderTests {

	private static final LockRequest REQUEST = LockRequest.of("account").keys(List.of("c", "a", "d", "b"));

	private static final List<String> BY_NAME = List.of("{fencing}:lease:account:a", "{fencing}:lease:account:b",
			"{fencing}:lease:account:c", "{fencing}:lease:account:d");

	private static final List<String> BACKWARDS = List.of("{fencing}:lease:account:d", "{fencing}:lease:account:c",
			"{fencing}:lease:account:b", "{fencing}:lease:account:a");

	private final RedisFixture redis = new RedisFixture();

	private final LockingProcess process = this.redis.process(Duration.ofSeconds(30));

	private final RedisMonitor monitor = RedisMonitor.of(this.redis.server());

	@AfterEach
	void stop() {
		this.monitor.close();
		this.redis.close();
	}

	@Test
	void freeAtOnce() {
		this.process.locks().executeWithoutResult(REQUEST, (context) -> assertLeases("SET", BY_NAME));
		assertLeases("DEL", BACKWARDS);
		assertThat(this.redis.keys()).noneMatch((key) -> key.contains(":lease:"));
	}

	@Test
	void blockedForTheShortestHold() {
		this.process.locks()
			.executeWithoutResult(REQUEST.minHold(Duration.ofSeconds(20)), (context) -> assertLeases("SET", BY_NAME));
		await().untilAsserted(() -> assertThat(leases("SET")).hasSize(8).endsWith(BACKWARDS.toArray(String[]::new)));
		assertThat(leases("DEL")).isEmpty();
	}

	private void assertLeases(String command, List<String> expected) {
		await().untilAsserted(() -> assertThat(leases(command)).isEqualTo(expected));
	}

	private List<String> leases(String command) {
		return this.monitor.keysOf(command).stream().filter((key) -> key.contains(":lease:")).toList();
	}

}
