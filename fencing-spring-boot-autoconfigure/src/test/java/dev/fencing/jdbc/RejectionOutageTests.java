package dev.fencing.jdbc;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.rejection.RejectionWriter;
import dev.fencing.testsupport.CapturedLog;
import dev.fencing.testsupport.SomeRejections;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failures that say nothing about whose fault they are: none that would have met any
 * other row as well costs one.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RejectionOutageTests {

	private static final List<Throwable> FAILURES = List.of(
			new IllegalStateException("No database is chosen on this thread"), new SQLException("Something", "99999"),
			new NoClassDefFoundError("some/Driver"), new OutOfMemoryError("for a moment"));

	@Parameter
	private TestDatabase database;

	private HikariDataSource pool;

	private FaultyStatements faults;

	private RejectionRows rows;

	@BeforeEach
	void open() {
		this.pool = this.database.pool(this.database.createDatabase(), 2);
		RejectionRows.create(this.database, this.pool);
		this.faults = new FaultyStatements(this.pool);
		this.rows = RejectionRows.in(this.database, this.faults);
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void connectionThatIsNotGivenIsWaitedFor() {
		for (Throwable failure : FAILURES) {
			this.faults.failConnections(failure);
			assertWaits(failure);
		}
	}

	@Test
	void databaseThatDoesNothingIsWaitedFor() {
		for (Throwable failure : FAILURES) {
			this.faults.failStatements((sql) -> true, failure);
			assertWaits(failure);
		}
	}

	@Test
	void lackOfMemoryIsNoFaultOfTheRow() {
		OutOfMemoryError failure = new OutOfMemoryError("for a moment");
		this.faults.failStatements(FaultyStatements::isInsertOfARow, failure);
		assertWaits(failure);
	}

	private void assertWaits(Throwable failure) {
		int before = RejectionRows.count(this.pool);
		try (CapturedLog log = CapturedLog.of(RejectionWriter.class);
				RejectionWriter writer = new RejectionWriter(this.rows.sink(), 10, null)) {
			reject(writer);
			Awaitility.await().until(() -> !log.lines().isEmpty());
			assertThat(log.lines().get(0)).startsWith("WARN Rejections cannot be stored now")
				.contains(failure.getMessage());
			assertThat(writer.waiting()).isEqualTo(5);
			this.faults.work();
			Awaitility.await().until(() -> writer.waiting() == 0);
			assertThat(writer.dropped()).isZero();
		}
		assertThat(RejectionRows.count(this.pool)).isEqualTo(before + 5);
	}

	@Test
	void rowIsAtFaultWhereOthersWouldNotBeRefused() {
		for (Throwable failure : FAILURES.subList(0, 3)) {
			this.faults.failStatements(FaultyStatements::isInsertOfARow, failure);
			try (CapturedLog log = CapturedLog.of(RejectionWriter.class);
					RejectionWriter writer = new RejectionWriter(this.rows.sink(), 10, null)) {
				reject(writer);
				Awaitility.await().until(() -> writer.waiting() == 0);
				assertThat(writer.dropped()).isEqualTo(5);
				assertThat(log.lines()).hasSize(5)
					.allSatisfy((line) -> assertThat(line).startsWith("WARN A rejection could not be stored")
						.endsWith("'" + failure.getMessage() + "'"));
			}
		}
	}

	private static void reject(RejectionWriter writer) {
		IntStream.range(0, 5).forEach((number) -> writer.rejected(SomeRejections.of("document:" + number)));
	}

}
