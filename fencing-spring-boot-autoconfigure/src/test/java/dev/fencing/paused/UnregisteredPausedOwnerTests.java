package dev.fencing.paused;

import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The control of {@link PausedOwnerTests}: with leases alone the same pauses do harm.
 */
@EnabledOnOs(value = { OS.LINUX, OS.MAC }, disabledReason = "Processes are frozen with SIGSTOP")
class UnregisteredPausedOwnerTests {

	private static WorkerPair workers;

	@BeforeAll
	static void start() {
		workers = WorkerPair.start("fencing.jdbc.registration=false");
	}

	@AfterAll
	static void stop() {
		if (workers != null) {
			workers.close();
		}
	}

	@AfterEach
	void settle() {
		workers.settle();
	}

	@ParameterizedTest
	@EnumSource(names = { "PLAIN_JDBC", "ENTITY" })
	void ownerThatWakesUpOverwritesWhatAnotherHasCommitted(Writes writes) {
		long id = workers.newDocument();
		PausePoint point = PausePoint.BEFORE_WRITE;
		long stale = workers.freezeAt("document:" + id, WorkerCommands.append(writes, id, "-A", point), point);
		workers.b().send(WorkerCommands.append(writes, id, "-B"));
		assertThat(workers.b().awaitDone()).isGreaterThan(stale);
		assertThat(workers.title(id)).isEqualTo("draft-B");
		workers.wakeUp();
		assertThat(workers.a().awaitDone()).isEqualTo(stale);
		assertThat(workers.title(id)).isEqualTo("draft-A");
		assertThat(workers.actuator().sum("fence_rejected_total")).isZero();
	}

	@Test
	void loopPaysAnItemTwice() {
		long batch = workers.newBatch();
		workers.freezeAt("payout:" + batch,
				WorkerCommands.pay(Writes.PLAIN_JDBC, batch, "A", Payout.TRANSACTION_PER_ITEM, 8),
				PausePoint.BEFORE_PAYMENT);
		workers.b().send(WorkerCommands.pay(Writes.PLAIN_JDBC, batch, "B", Payout.TRANSACTION_PER_ITEM, 0));
		workers.b().awaitDone();
		workers.wakeUp();
		workers.a().awaitDone();
		List<String> payments = workers.payments(batch);
		assertThat(payments).hasSize(Payouts.ITEMS + 1).contains("8 A", "8 B");
	}

}
