package dev.fencing.jdbc;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.EmptyResultDataAccessException;

import dev.fencing.StaleGenerationException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Workers claim a task by a statement that chooses it, writes it and answers with it.
 */
class ClaimedRowTests {

	private static final String CLAIM = """
			UPDATE "Task" SET "phase"='BUSY' WHERE "no" = (SELECT "no" FROM "Task" WHERE "phase"='NEW' \
			OR ("phase"='LATER' AND "dueAt"<=?) ORDER BY "madeAt" LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *""";

	private final ParcelFixture parcels = new ParcelFixture(TestDatabase.POSTGRESQL, true);

	private final FencedJdbcTemplate fencedJdbc = this.parcels.fencedJdbc();

	@BeforeEach
	void createTasks() {
		this.parcels.jdbc().execute("""
				create table "Task" ("no" int primary key, "phase" varchar(9), "dueAt" int, "madeAt" int,
				fencing_token bigint not null default 0)""");
		this.parcels.jdbc()
			.execute(
					"""
							insert into "Task" values (1, 'DONE', 0, 1), (2, 'LATER', 50, 2), (3, 'NEW', 0, 3), (4, 'NEW', 0, 4)""");
	}

	@AfterEach
	void close() {
		this.parcels.close();
	}

	@Test
	void claimAnswersWithTheTaskInEachWay() {
		this.parcels.under(7, () -> {
			Map<String, Object> task = this.fencedJdbc.queryForMap(CLAIM, 49);
			assertThat(task).containsEntry("no", 3)
				.containsEntry("phase", "BUSY")
				.containsEntry("fencing_token", 7_000_001L);
			Integer number = this.fencedJdbc.queryForObject(CLAIM, (row, index) -> row.getInt("no"), 50);
			assertThat(number).isEqualTo(2);
			assertThat(this.fencedJdbc.update(CLAIM, 50)).isEqualTo(1);
		});
		assertThat(busy()).isEqualTo(3);
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void nothingToClaimIsNoRejection() {
		this.parcels.jdbc().update("update \"Task\" set \"phase\" = 'DONE', fencing_token = 9000001");
		this.parcels.under(7, () -> {
			assertThat(this.fencedJdbc.queryForList(CLAIM, 50)).isEmpty();
			assertThat(this.fencedJdbc.update(CLAIM, 50)).isZero();
			assertThatExceptionOfType(EmptyResultDataAccessException.class)
				.isThrownBy(() -> this.fencedJdbc.queryForMap(CLAIM, 50));
		});
		assertThat(this.parcels.rejections()).isEmpty();
	}

	@Test
	void staleOwnerClaimsNothingAndIsNotGivenAnotherTask() {
		this.parcels.jdbc().update("update \"Task\" set fencing_token = 9000001 where \"no\" = 3");
		this.parcels.under(8, () -> {
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.queryForMap(CLAIM, 0));
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.query(CLAIM, (row, number) -> row.getInt("no"), 0));
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(CLAIM, 0));
		});
		assertThat(busy()).isZero();
		assertThat(this.parcels.rejections()).hasSize(3);
	}

	@Test
	void taskThatAnotherWorkerIsClaimingIsSkipped() throws Exception {
		CountDownLatch claimed = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(1);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> this.parcels.inTransaction(() -> {
			this.parcels.jdbc().queryForList("select * from \"Task\" where \"no\" = 3 for update");
			claimed.countDown();
			await(done);
		}));
		await(claimed);
		this.parcels.under(7, () -> assertThat(this.fencedJdbc.queryForMap(CLAIM, 0)).containsEntry("no", 4));
		done.countDown();
		other.get(20, TimeUnit.SECONDS);
	}

	private int busy() {
		Integer count = this.parcels.jdbc()
			.queryForObject("select count(*) from \"Task\" where \"phase\" = 'BUSY'", Integer.class);
		return (count != null) ? count : -1;
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
