package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.rejection.PatientWriters;
import dev.fencing.rejection.RejectionWriter;
import dev.fencing.testsupport.CapturedLog;
import dev.fencing.testsupport.SomeRejections;
import dev.fencing.testsupport.TcpProxy;
import dev.fencing.testsupport.TcpProxy.Direction;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A database that is away, hangs or refuses: rejections wait for it, nobody else does,
 * and in the end each is there once.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RejectionFaultTests {

	@Parameter
	private TestDatabase database;

	private final CapturedLog log = CapturedLog.of(RejectionWriter.class);

	private String url;

	private HikariDataSource direct;

	private HikariDataSource pool;

	private RejectionRows rows;

	private RejectionWriter writer;

	private TcpProxy network;

	@BeforeEach
	void open() {
		this.url = this.database.createDatabase();
		this.direct = this.database.pool(this.url, 2);
		this.rows = RejectionRows.create(this.database, this.direct);
		String throughNetwork = this.url;
		if (this.database != TestDatabase.H2) {
			int port = Integer.parseInt(this.url.replaceAll(".*:(\\d+)/.*", "$1"));
			this.network = TcpProxy.to(port);
			throughNetwork = this.url.replace(":" + port + "/", ":" + this.network.port() + "/");
		}
		this.pool = this.database.pool(throughNetwork, 2);
		this.pool.setConnectionTimeout(500);
		this.pool.setValidationTimeout(300);
		this.writer = new RejectionWriter(RejectionRows.in(this.database, this.pool).sink(), 200, Duration.ofDays(30));
	}

	@AfterEach
	void close() {
		if (this.network != null) {
			this.network.close();
		}
		this.writer.close();
		this.pool.close();
		this.direct.close();
		this.log.close();
	}

	@Test
	void databaseThatIsAwayGetsEverythingWhenItIsBack() {
		reject(1, 3);
		eventuallyStored(1, 3);
		goAway();
		reject(4, 150);
		eventually(() -> this.log.lines().size() == 1);
		assertThat(this.writer.waiting()).isEqualTo(147);
		comeBack();
		eventuallyStored(1, 150);
		assertThat(this.writer.dropped()).isZero();
		assertThat(this.log.lines()).hasSize(2);
		assertThat(this.log.lines().get(1)).isEqualTo("INFO Rejections are stored again");
	}

	private void goAway() {
		if (this.network != null) {
			this.network.cut();
		}
		else {
			// An H2 in memory is away when its table is
			new JdbcTemplate(this.direct).execute("alter table FENCING_REJECTION rename to AWAY");
		}
	}

	private void comeBack() {
		if (this.network != null) {
			this.network.restore();
		}
		else {
			new JdbcTemplate(this.direct).execute("alter table AWAY rename to FENCING_REJECTION");
		}
	}

	@Test
	void missingTableIsWaitedFor() {
		JdbcTemplate jdbc = new JdbcTemplate(this.direct);
		jdbc.execute("alter table FENCING_REJECTION rename to SOMETHING_ELSE");
		reject(1, 20);
		eventually(() -> this.log.lines().size() == 1);
		jdbc.execute("alter table SOMETHING_ELSE rename to FENCING_REJECTION");
		eventuallyStored(1, 20);
		assertThat(this.writer.dropped()).isZero();
	}

	@Test
	void nobodyIsDelayedByADatabaseThatHangs() {
		assumeNetwork();
		reject(1, 1);
		eventuallyStored(1, 1);
		this.network.hold(Direction.REPLIES);
		reject(2, 2);
		this.network.awaitHeld(Direction.REPLIES, "");
		// Returns, although nothing comes back from the database
		reject(3, 300);
		assertThat(this.writer.waiting()).isEqualTo(200);
		assertThat(this.writer.dropped()).isEqualTo(99);
		this.network.letGo(Direction.REPLIES);
		eventuallyStored(1, 201);
	}

	@Test
	void answerThatNeverComesIsNotWaitedFor() {
		assumeNetwork();
		RejectionRows impatient = RejectionRows.impatiently(this.database, this.pool);
		try (RejectionWriter other = new RejectionWriter(impatient.sink(), 10, null)) {
			other.rejected(SomeRejections.of("document:1"));
			eventuallyStored(1, 1);
			this.network.hold(Direction.REPLIES);
			other.rejected(SomeRejections.of("document:2"));
			// Although nothing breaks the connection
			eventually(() -> !this.log.lines().isEmpty());
			assertThat(other.waiting()).isOne();
			this.network.letGo(Direction.REPLIES);
			eventuallyStored(1, 2);
		}
	}

	@Test
	void readingIsBounded() throws Exception {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "No lock keeps anybody from reading");
		RejectionRows impatient = RejectionRows.impatiently(this.database, this.pool);
		assertThat(impatient.all(null)).isEmpty();
		try (Connection connection = this.direct.getConnection(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute((this.database == TestDatabase.MARIADB) ? "lock tables FENCING_REJECTION write"
					: "lock table FENCING_REJECTION in access exclusive mode");
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> impatient.all(null));
			statement.execute((this.database == TestDatabase.MARIADB) ? "unlock tables" : "rollback");
		}
		assertThat(impatient.all(null)).isEmpty();
	}

	@Test
	void databaseThatTakesNoWritesIsWaitedFor() {
		Assumptions.assumeTrue(this.database == TestDatabase.POSTGRESQL, "No setting of a single database");
		String name = this.url.substring(this.url.lastIndexOf('/') + 1);
		JdbcTemplate jdbc = new JdbcTemplate(this.direct);
		jdbc.execute("alter database %s set default_transaction_read_only = on".formatted(name));
		reject(1, 20);
		eventually(() -> this.log.lines().size() == 1);
		assertThat(this.writer.waiting()).isEqualTo(20);
		jdbc.execute("alter database %s set default_transaction_read_only = off".formatted(name));
		this.pool.getHikariPoolMXBean().softEvictConnections();
		eventuallyStored(1, 20);
		assertThat(this.writer.dropped()).isZero();
	}

	@Test
	void answerThatIsLostStoresNothingTwice() {
		assumeNetwork();
		reject(1, 1);
		eventuallyStored(1, 1);
		this.network.hold(Direction.REPLIES);
		reject(2, 2);
		// Done, but the writer does not know
		eventually(() -> this.rows.resources().size() > 1);
		reject(3, 10);
		this.network.cut();
		this.network.letGo(Direction.REPLIES);
		this.network.restore();
		eventuallyStored(1, 10);
		eventually(() -> this.writer.waiting() == 0);
		assertThat(this.rows.resources()).hasSize(10);
		assertThat(this.writer.dropped()).isZero();
	}

	@Test
	void rowThatIsRefusedDoesNotKeepTheOthersNorStoreThemTwice() throws Exception {
		new JdbcTemplate(this.direct)
			.execute("alter table FENCING_REJECTION add constraint no_five check (resource_id <> 'document:5')");
		holdWriter(() -> reject(1, 12));
		assertStoresAllButTheFifth();
	}

	@Test
	void rowThatIsTooLongForTheTableDoesNotKeepTheOthers() throws Exception {
		new JdbcTemplate(this.direct).execute((this.database == TestDatabase.MARIADB)
				? "alter table FENCING_REJECTION modify instance_id varchar(10) not null"
				: "alter table FENCING_REJECTION alter column instance_id "
						+ ((this.database == TestDatabase.POSTGRESQL) ? "type varchar(10)" : "varchar(10) not null"));
		holdWriter(() -> {
			reject(1, 4);
			this.writer.rejected(SomeRejections.of("document:5", Instant.now(), "host-1.example.com"));
			reject(6, 12);
		});
		assertStoresAllButTheFifth();
	}

	private void assertStoresAllButTheFifth() {
		eventually(() -> this.writer.waiting() == 0);
		assertThat(this.rows.resources()).containsExactlyElementsOf(IntStream.rangeClosed(1, 12)
			.filter((number) -> number != 5)
			.mapToObj((number) -> "document:" + number)
			.toList());
		assertThat(this.writer.dropped()).isOne();
		assertThat(this.log.lines()).anySatisfy((line) -> assertThat(line)
			.startsWith("WARN A rejection could not be stored and was dropped: " + "resource 'document:5'"));
	}

	/**
	 * Do something while the writer has no connection, so that a batch collects.
	 */
	private void holdWriter(Runnable work) throws Exception {
		try (Connection first = this.pool.getConnection(); Connection second = this.pool.getConnection()) {
			work.run();
		}
	}

	@Test
	void flushAtTheEndStoresWhatWaits() throws Exception {
		this.writer.close();
		this.writer = PatientWriters.of(RejectionRows.in(this.database, this.pool).sink(), 200);
		holdWriter(() -> reject(1, 150));
		this.writer.close();
		assertThat(this.writer.dropped()).isZero();
		assertThat(this.rows.resources()).hasSize(150);
	}

	@Test
	void databaseThatStaysAwayDoesNotKeepTheApplicationFromEnding() {
		goAway();
		reject(1, 5);
		this.writer.close();
		// Those of an attempt that is under way have to fail first
		eventually(() -> this.writer.waiting() == 0);
		assertThat(this.writer.dropped()).isEqualTo(5);
		assertThat(this.log.lines())
			.anySatisfy((line) -> assertThat(line).endsWith("not stored before the application ended"));
	}

	private void assumeNetwork() {
		Assumptions.assumeTrue(this.network != null, "There is no network to a database in this process");
	}

	private void reject(int first, int last) {
		IntStream.rangeClosed(first, last)
			.forEach((number) -> this.writer.rejected(SomeRejections.of("document:" + number)));
	}

	private void eventuallyStored(int first, int last) {
		List<String> resources = IntStream.rangeClosed(first, last).mapToObj((number) -> "document:" + number).toList();
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(this.rows.resources()).isEqualTo(resources));
	}

	private static void eventually(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
	}

}
