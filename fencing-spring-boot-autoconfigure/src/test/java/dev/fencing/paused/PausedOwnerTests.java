package dev.fencing.paused;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.FencingTokens;
import dev.fencing.StaleGenerationException;
import dev.fencing.actuate.RejectionReport;
import dev.fencing.actuate.ResourceReport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Worker A is frozen under its lease, worker B takes over, A wakes up and goes on as if
 * nothing had happened: the database refuses it.
 */
@EnabledOnOs(value = { OS.LINUX, OS.MAC }, disabledReason = "Processes are frozen with SIGSTOP")
class PausedOwnerTests {

	private static WorkerPair workers;

	private double rejectedBefore;

	private long listedBefore;

	@BeforeAll
	static void start() {
		workers = WorkerPair.start();
	}

	@AfterAll
	static void stop() {
		if (workers != null) {
			workers.close();
		}
	}

	@BeforeEach
	void readCounters() {
		this.rejectedBefore = rejected();
		this.listedBefore = workers.actuator().report().rejections().total();
	}

	@AfterEach
	void settle() {
		workers.settle();
		assertThat(workers.idleTransactions()).isZero();
		// Who is never refused has nothing to tell
		assertThat(workers.b().log()).noneMatch((line) -> line.contains(" d.f."));
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			PLAIN_JDBC,  BEFORE_READ,   transaction
			PLAIN_JDBC,  BEFORE_WRITE,  transaction
			FENCED_JDBC, BEFORE_READ,   row
			FENCED_JDBC, BEFORE_WRITE,  row
			ENTITY,      BEFORE_READ,   transaction
			ENTITY,      BEFORE_WRITE,  transaction
			ENTITY,      BEFORE_COMMIT, transaction
			""")
	void ownerFrozenWhileAnotherCommitsIsRefused(Writes writes, PausePoint point, String guard) {
		long id = workers.newDocument();
		String resource = "document:" + id;
		long stale = workers.freezeAt(resource, WorkerCommands.append(writes, id, "-A", point), point);
		workers.b().send(WorkerCommands.append(writes, id, "-B"));
		long current = workers.b().awaitDone();
		workers.wakeUp();
		assertRefused(resource, stale, current, guard);
		assertThat(workers.title(id)).isEqualTo("draft-B");
		assertUsable(writes, id, current);
	}

	@ParameterizedTest
	@EnumSource(names = { "PLAIN_JDBC", "FENCED_JDBC", "FLUSHED_ENTITY" })
	void ownerFrozenWithTheRowLockedIsRefusedBeforeAnotherCommits(Writes writes) {
		long id = workers.newDocument();
		String resource = "document:" + id;
		PausePoint point = PausePoint.BEFORE_COMMIT;
		long stale = workers.freezeAt(resource, WorkerCommands.append(writes, id, "-A", point), point);
		workers.b().send(WorkerCommands.append(writes, id, "-B"));
		workers.awaitRegistrationAfter(resource, stale);
		workers.awaitRowLock();
		assertThat(workers.b().isSilent()).isTrue();
		workers.wakeUp();
		long current = workers.b().awaitDone();
		assertRefused(resource, stale, current, "transaction");
		assertThat(workers.title(id)).isEqualTo("draft-B");
		assertUsable(writes, id, current);
	}

	@ParameterizedTest
	@EnumSource(names = { "PLAIN_JDBC", "FENCED_JDBC", "ENTITY" })
	void ownerThatWakesUpBeforeAnotherWritesIsRefused(Writes writes) {
		long id = workers.newDocument();
		String resource = "document:" + id;
		PausePoint point = PausePoint.BEFORE_WRITE;
		long stale = workers.freezeAt(resource, WorkerCommands.append(writes, id, "-A", point), point);
		workers.b().send(WorkerCommands.append(writes, id, "-B", point));
		long current = workers.b().awaitPause(point);
		workers.wakeUp();
		assertRefused(resource, stale, current, "transaction");
		assertThat(workers.title(id)).isEqualTo("draft");
		workers.b().go();
		assertThat(workers.b().awaitDone()).isEqualTo(current);
		assertThat(workers.title(id)).isEqualTo("draft-B");
		assertUsable(writes, id, current);
	}

	@Test
	void ownerThatWakesUpAndReadsLearnsThatItsLeaseIsLostAndLeavesItToTheOther() {
		long id = workers.newDocument();
		String resource = "document:" + id;
		double lostBefore = workers.actuator().sum("fence_lease_lost_total");
		long stale = workers.freezeAt(resource,
				WorkerCommands.append(Writes.PLAIN_JDBC, id, "-A", PausePoint.BEFORE_READ, PausePoint.BEFORE_WRITE),
				PausePoint.BEFORE_READ);
		workers.b().send(WorkerCommands.append(Writes.PLAIN_JDBC, id, "-B", PausePoint.BEFORE_WRITE));
		long current = workers.b().awaitPause(PausePoint.BEFORE_WRITE);
		workers.wakeUp();
		workers.a().awaitPause(PausePoint.BEFORE_WRITE);
		WorkerPair.eventually()
			.untilAsserted(
					() -> assertThat(workers.actuator().sum("fence_lease_lost_total")).isEqualTo(lostBefore + 1));
		assertThat(workers.leasedGeneration(resource)).isEqualTo(current);
		workers.a().go();
		assertRefused(resource, stale, current, "transaction");
		assertThat(workers.leasedGeneration(resource)).isEqualTo(current);
		workers.b().go();
		assertThat(workers.b().awaitDone()).isEqualTo(current);
		assertThat(workers.leasedGeneration(resource)).isNull();
		assertThat(workers.title(id)).isEqualTo("draft-B");
		assertUsable(Writes.PLAIN_JDBC, id, current);
	}

	@ParameterizedTest
	@EnumSource(names = { "PLAIN_JDBC", "ENTITY" })
	void ownerFrozenBetweenGuardAndCommitCommitsBeforeAnotherReads(Writes writes) {
		long id = workers.newDocument();
		String resource = "document:" + id;
		PausePoint point = PausePoint.AFTER_GUARD;
		long first = workers.freezeAt(resource, WorkerCommands.append(writes, id, "-A", point), point);
		workers.b().send(WorkerCommands.append(writes, id, "-B"));
		workers.awaitRowLock();
		assertThat(FencingTokens.generation(workers.registeredToken(resource))).isEqualTo(first);
		workers.wakeUp();
		assertThat(workers.a().awaitDone()).isEqualTo(first);
		assertThat(workers.b().awaitDone()).isGreaterThan(first);
		assertThat(workers.title(id)).isEqualTo("draft-A-B");
		assertThat(rejected()).isEqualTo(this.rejectedBefore);
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			PLAIN_JDBC, BEFORE_COMMIT
			PLAIN_JDBC, AFTER_GUARD
			ENTITY,     AFTER_GUARD
			""")
	void ownerWhoseSessionTheDatabaseEndsGivesWay(Writes writes, PausePoint point) {
		long id = workers.newDocument();
		String resource = "document:" + id;
		workers.freezeAt(resource, WorkerCommands.append(writes, id, "-A", point), point);
		workers.b().send(WorkerCommands.append(writes, id, "-B"));
		workers.awaitRowLock();
		workers.endIdleTransaction();
		long current = workers.b().awaitDone();
		workers.wakeUp();
		assertThat(workers.a().awaitFailure()).doesNotStartWith(StaleGenerationException.class.getName());
		assertThat(rejected()).isEqualTo(this.rejectedBefore);
		assertThat(workers.title(id)).isEqualTo("draft-B");
		assertUsable(writes, id, current);
	}

	@ParameterizedTest
	@EnumSource(names = { "PLAIN_JDBC", "FENCED_JDBC", "ENTITY" })
	void loopPaysEachItemOnce(Writes writes) {
		Payout payout = Payout.TRANSACTION_PER_ITEM;
		long batch = workers.newBatch();
		long stale = freezeAtItem(writes, batch, payout, 8);
		workers.b().send(WorkerCommands.pay(writes, batch, "B", payout, 0));
		long current = workers.b().awaitDone();
		workers.wakeUp();
		assertRefused("payout:" + batch, stale, current, "transaction");
		assertThat(workers.payments(batch)).isEqualTo(paidByAUpTo(7));
		workers.a().send(WorkerCommands.pay(writes, batch, "A", payout, 0));
		assertThat(workers.a().awaitDone()).isGreaterThan(current);
		assertThat(workers.payments(batch)).isEqualTo(paidByAUpTo(7));
	}

	@ParameterizedTest
	@EnumSource(names = { "PLAIN_JDBC", "FENCED_JDBC", "ENTITY" })
	void loopInOneTransactionIsRolledBackAndPaysEachItemOnce(Writes writes) {
		long batch = workers.newBatch();
		long stale = freezeAtItem(writes, batch, Payout.ONE_TRANSACTION, 8);
		workers.b().send(WorkerCommands.pay(writes, batch, "B", Payout.ONE_TRANSACTION, 0));
		long current = workers.b().awaitDone();
		workers.wakeUp();
		assertRefused("payout:" + batch, stale, current, "transaction");
		assertThat(workers.payments(batch)).isEqualTo(paidByAUpTo(0));
	}

	@Test
	void loopThatIgnoresFailuresIsRefusedAtEachItemThatIsLeft() {
		long batch = workers.newBatch();
		freezeAtItem(Writes.PLAIN_JDBC, batch, Payout.TRANSACTION_PER_ITEM_WHATEVER_FAILS, 8);
		workers.b().send(WorkerCommands.pay(Writes.PLAIN_JDBC, batch, "B", Payout.TRANSACTION_PER_ITEM, 0));
		workers.b().awaitDone();
		workers.wakeUp();
		assertThat(workers.a().awaitFailure()).startsWith(StaleGenerationException.class.getName());
		assertThat(workers.payments(batch)).isEqualTo(paidByAUpTo(7));
		assertThat(rejected() - this.rejectedBefore).isEqualTo(13);
	}

	private long freezeAtItem(Writes writes, long batch, Payout payout, int item) {
		return workers.freezeAt("payout:" + batch, WorkerCommands.pay(writes, batch, "A", payout, item),
				PausePoint.BEFORE_PAYMENT);
	}

	private static List<String> paidByAUpTo(int last) {
		return IntStream.rangeClosed(1, Payouts.ITEMS)
			.mapToObj((item) -> item + ((item <= last) ? " A" : " B"))
			.toList();
	}

	private void assertRefused(String resource, long stale, long current, String guard) {
		assertThat(workers.a().awaitFailure()).startsWith(StaleGenerationException.class.getName());
		assertThat(rejected() - this.rejectedBefore).isEqualTo(1);
		assertThat(workers.actuator().report().rejections().total() - this.listedBefore).isEqualTo(1);
		RejectionReport rejection = workers.actuator().report().rejections().recent().get(0);
		assertThat(rejection.resource()).isEqualTo(resource);
		assertThat(rejection.guard()).isEqualTo(guard);
		assertThat(rejection.reason()).isEqualTo("stale");
		assertThat(rejection.instance()).isEqualTo("A");
		assertThat(rejection.acceptedToken()).isNotNull();
		String rejectedToken = FencingTokens.format(Long.parseLong(rejection.rejectedToken()));
		String acceptedToken = FencingTokens.format(Long.parseLong(rejection.acceptedToken()));
		assertThat(rejectedToken).startsWith(stale + ".");
		// The row carries the token of the other's first write, the registry the one
		// before
		assertThat(acceptedToken).isEqualTo(current + (guard.equals("row") ? ".1" : ".0"));
		ResourceReport report = workers.actuator().report(resource);
		assertThat(report.rejections().recent()).containsExactly(rejection);
		assertThat(report.registered()).isNotNull();
		assertThat(report.registered().generation()).isEqualTo(Long.toString(current));
		assertThat(warnings(resource)).singleElement(InstanceOfAssertFactories.STRING)
			.contains(rejection.owner(), rejectedToken, acceptedToken, "guard " + guard);
	}

	private static Stream<String> warnings(String resource) {
		return workers.a()
			.log()
			.stream()
			.filter((line) -> line.contains(" WARN ") && line.contains("Rejected")
					&& line.contains("'" + resource + "'"));
	}

	private static void assertUsable(Writes writes, long id, long current) {
		workers.a().send(WorkerCommands.append(writes, id, "-again"));
		assertThat(workers.a().awaitDone()).isGreaterThan(current);
		assertThat(workers.title(id)).isEqualTo("draft-B-again");
	}

	private static double rejected() {
		return workers.actuator().sum("fence_rejected_total");
	}

}
