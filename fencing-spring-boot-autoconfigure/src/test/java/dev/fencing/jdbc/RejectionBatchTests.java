package dev.fencing.jdbc;

import java.sql.Connection;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import dev.fencing.rejection.RejectionEntry;
import dev.fencing.rejection.RejectionSinkUnavailableException;
import dev.fencing.rejection.RejectionWriter;
import dev.fencing.testsupport.FaultyCommits;
import dev.fencing.testsupport.RecordingDataSource;
import dev.fencing.testsupport.SomeRejections;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Rejections that are stored together are one transaction, however it ends.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RejectionBatchTests {

	@Parameter
	private TestDatabase database;

	private HikariDataSource pool;

	@BeforeEach
	void open() {
		this.pool = this.database.pool(this.database.createDatabase(), 2);
		RejectionRows.create(this.database, this.pool);
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void isCommittedOnce() {
		RecordingDataSource recorded = new RecordingDataSource(this.pool);
		RejectionRows.in(this.database, recorded).sink().write(entries(100));
		assertThat(recorded.commits()).isOne();
		assertThat(RejectionRows.count(this.pool)).isEqualTo(100);
	}

	@Test
	void isStoredAsAWholeOrNotAtAll() {
		refuseTheFifth();
		assertThatException().isThrownBy(() -> RejectionRows.in(this.database, this.pool).sink().write(entries(10)))
			.isNotInstanceOf(RejectionSinkUnavailableException.class);
		assertThat(RejectionRows.count(this.pool)).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionIsAsItWasAfterwards(boolean autoCommit) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.setAutoCommit(autoCommit);
			JdbcRejectionSink sink = RejectionRows.in(this.database, new SingleConnectionDataSource(connection, true))
				.sink();
			sink.write(entries(10));
			assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
			new JdbcTemplate(this.pool).update("delete from FENCING_REJECTION");
			refuseTheFifth();
			assertThatException().isThrownBy(() -> sink.write(entries(10)));
			assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
		}
		assertThat(RejectionRows.count(this.pool)).isZero();
	}

	@Test
	void failureOfTheCommitIsAnOutageAndStoresEachOnce() {
		FaultyCommits commits = new FaultyCommits(this.pool);
		JdbcRejectionSink sink = RejectionRows.in(this.database, commits).sink();
		for (boolean committed : List.of(false, true)) {
			commits.failNext(committed, "08006");
			assertThatExceptionOfType(RejectionSinkUnavailableException.class)
				.isThrownBy(() -> sink.write(entries(20)));
			assertThat(RejectionRows.count(this.pool)).isEqualTo(committed ? 20 : 0);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "08006", "99999" })
	void commitWhoseAnswerIsLostIsNotRepeated(String sqlState) throws SQLException {
		FaultyCommits commits = new FaultyCommits(this.pool);
		commits.failNext(true, sqlState);
		try (RejectionWriter writer = new RejectionWriter(RejectionRows.in(this.database, commits).sink(), 100, null)) {
			try (Connection first = this.pool.getConnection(); Connection second = this.pool.getConnection()) {
				entries(50).forEach((entry) -> writer.rejected(entry.rejection()));
			}
			Awaitility.await().until(() -> writer.waiting() == 0);
			assertThat(writer.dropped()).isZero();
			assertThat(RejectionRows.count(this.pool)).isEqualTo(50);
		}
	}

	private void refuseTheFifth() {
		new JdbcTemplate(this.pool)
			.execute("alter table FENCING_REJECTION add constraint no_five check (resource_id <> 'document:5')");
	}

	private static List<RejectionEntry> entries(int number) {
		return IntStream.rangeClosed(1, number)
			.mapToObj((each) -> new RejectionEntry("key-" + each, SomeRejections.of("document:" + each)))
			.toList();
	}

}
