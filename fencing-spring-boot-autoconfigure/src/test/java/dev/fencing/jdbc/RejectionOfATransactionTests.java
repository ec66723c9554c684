package dev.fencing.jdbc;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.rejection.RejectionWriter;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A rejection is stored although the transaction that was refused is rolled back, also
 * where that one has the only connection.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RejectionOfATransactionTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final AtomicReference<Rejection> rejection = new AtomicReference<>();

	@Parameter
	private TestDatabase database;

	private FencedStack stack;

	private RejectionRows rows;

	private RejectionWriter writer;

	@BeforeEach
	void open() {
		HikariDataSource onlyOne = this.database.pool(this.database.createDatabase(), 1);
		// For ever: a caller that waited for it would never return
		onlyOne.setConnectionTimeout(0);
		this.stack = FencedStack.on(onlyOne, this.database, new InMemoryLeaseProvider(), true).withCounter();
		this.rows = RejectionRows.create(this.database, onlyOne);
		this.writer = new RejectionWriter(this.rows.sink(), 10, null);
	}

	@AfterEach
	void close() {
		this.writer.close();
		this.stack.close();
	}

	@Test
	void isStoredAfterTheRollback() {
		FencingListener listener = new FencingListener() {
			@Override
			public void rejected(Rejection rejection) {
				RejectionOfATransactionTests.this.writer.rejected(rejection);
				// Here already, while the transaction has the connection and the writer
				// waits for it
				Awaitility.await()
					.until(() -> RejectionOfATransactionTests.this.stack.pool()
						.getHikariPoolMXBean()
						.getThreadsAwaitingConnection() == 1);
				assertThat(RejectionOfATransactionTests.this.writer.waiting()).isOne();
				RejectionOfATransactionTests.this.rejection.set(rejection);
			}
		};
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks(listener)
			.executeWithoutResult(REQUEST, (context) -> this.stack.transaction().executeWithoutResult((status) -> {
				this.stack.jdbc().update("update counter set amount = 1");
				this.stack.takeOver(context);
			})));
		assertThat(this.rejection.get()).isNotNull();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.writer.waiting() == 0);
		assertThat(this.stack.counter()).isZero();
		assertThat(this.writer.dropped()).isZero();
		assertThat(this.rows.all("counter")).singleElement().satisfies((stored) -> {
			assertThat(stored.rejectedToken()).isEqualTo(this.rejection.get().rejectedToken());
			assertThat(stored.acceptedToken()).isEqualTo(this.rejection.get().acceptedToken());
			assertThat(stored.owner()).isEqualTo(this.rejection.get().owner());
		});
	}

}
