package dev.fencing.lease.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.DurabilityReport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a cluster of which one primary is away.
 */
@Timeout(60)
class ClusterOutageTests {

	private static final int PARTITIONS = 8;

	private final ClusterFixture fixture = new ClusterFixture();

	private final LockingProcess process = this.fixture.process(PARTITIONS, Duration.ofSeconds(2));

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void otherPartitionsGoOnAndThoseThatAreAwayFailClosed() {
		LockRequest away = LockRequest.of("order").key(this.fixture.keyOn(0, PARTITIONS));
		LockRequest there = LockRequest.of("order").key(this.fixture.keyOn(1, PARTITIONS));
		// Connected by then, so that both are due at the same time from the start
		this.process.release(this.process.acquire(away));
		this.process.release(this.process.acquire(there));
		this.process.acquire(away);
		this.process.acquire(there);
		await().until(() -> this.process.renewed() >= 2);
		this.fixture.cluster().server(0).stop();
		// Each by itself: the renewals of the one wait for answers that do not come
		await().until(() -> this.process.lost() == 1);
		int renewed = this.process.renewed();
		await().until(() -> this.process.renewed() > renewed + 1);
		assertThat(this.process.lost()).isOne();

		AtomicBoolean ran = new AtomicBoolean();
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> this.process.locks()
				.executeWithoutResult(away.waitTime(Duration.ZERO), (context) -> ran.set(true)))
			.withMessageContaining("the Redis cluster");
		assertThat(ran).isFalse();
		LockRequest another = LockRequest.of("order").key(this.fixture.keyOn(2, PARTITIONS));
		this.process.locks().executeWithoutResult(another, (context) -> ran.set(true));
		assertThat(ran).isTrue();

		DurabilityReport report = this.process.provider().durability(Duration.ofSeconds(1));
		assertThat(report.findings()).isNotEmpty();
		assertThat(report.error()).contains("127.0.0.1:" + this.fixture.cluster().server(0).port());
	}

}
