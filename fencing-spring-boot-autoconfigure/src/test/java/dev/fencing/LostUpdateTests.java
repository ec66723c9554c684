package dev.fencing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseState;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.Registration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The update that is lost although all tokens are in order: A(41) reads 0, B(42) reads 0,
 * A writes 1 and commits, B writes 1 and commits. Announcing a generation before the
 * first read is what prevents it; the controls show that nothing less does.
 */
@ParameterizedClass
@EnumSource(names = { "POSTGRESQL", "MARIADB" })
class LostUpdateTests {

	private static final LockRequest REQUEST = LockRequest.of("counter");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final AtomicInteger acknowledged = new AtomicInteger();

	@Parameter
	TestDatabase database;

	private FencedStack stack;

	@AfterEach
	void close() {
		this.stack.close();
	}

	@ParameterizedTest
	@EnumSource(Read.class)
	void registeredOwnersLoseNoUpdate(Read read) throws Exception {
		use(true);
		race(read, Write.PLAIN);
		assertThat(this.acknowledged).hasValue(1);
		assertThat(this.stack.counter()).isEqualTo(1);
		assertThat(this.stack.rejections()).singleElement().satisfies((rejection) -> {
			assertThat(rejection.guard()).isEqualTo(Rejection.Guard.TRANSACTION);
			assertThat(rejection.reason()).isEqualTo(Rejection.Reason.STALE);
			assertThat(rejection.acceptedToken()).isGreaterThan(rejection.rejectedToken());
		});
	}

	@ParameterizedTest
	@EnumSource(Read.class)
	void controlWithoutRegistrationLosesAnUpdate(Read read) throws Exception {
		use(false);
		race(read, Write.PLAIN);
		assertUpdateWasLost();
	}

	@ParameterizedTest
	@EnumSource(Read.class)
	void controlWithTheRowGuardAloneLosesAnUpdate(Read read) throws Exception {
		use(false);
		race(read, Write.ROW_GUARD);
		assertUpdateWasLost();
	}

	@ParameterizedTest
	@EnumSource(Read.class)
	void controlWithRegistrationAtTheFirstWriteLosesAnUpdate(Read read) throws Exception {
		use(false);
		race(read, Write.REGISTER_THEN_WRITE);
		assertUpdateWasLost();
	}

	private void assertUpdateWasLost() {
		assertThat(this.acknowledged).hasValue(2);
		assertThat(this.stack.counter()).isEqualTo(1);
	}

	private void use(boolean registration) {
		this.stack = FencedStack.on(this.database, this.provider, registration).withCounter();
	}

	private void race(Read read, Write write) throws Exception {
		CountDownLatch secondHasRead = new CountDownLatch(1);
		CountDownLatch firstIsDone = new CountDownLatch(1);
		CompletableFuture<Void> second = new CompletableFuture<>();
		try {
			this.stack.locks().executeWithoutResult(REQUEST, (context) -> increment(context, read, write, () -> {
				takeLeaseAway();
				second.completeAsync(() -> {
					this.stack.locks()
						.executeWithoutResult(REQUEST, (successor) -> increment(successor, read, write, () -> {
							secondHasRead.countDown();
							await(firstIsDone);
						}));
					return null;
				});
				await(secondHasRead);
			}));
		}
		catch (StaleGenerationException ex) {
			assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
		}
		firstIsDone.countDown();
		second.get(10, TimeUnit.SECONDS);
	}

	private void increment(FencingContext context, Read read, Write write, Runnable betweenReadAndWrite) {
		if (read == Read.OUTSIDE_TRANSACTION) {
			int value = this.stack.counter();
			betweenReadAndWrite.run();
			this.stack.transaction().executeWithoutResult((status) -> write(context, write, value + 1));
		}
		else {
			this.stack.transaction().executeWithoutResult((status) -> {
				int value = this.stack.counter();
				betweenReadAndWrite.run();
				write(context, write, value + 1);
			});
		}
		this.acknowledged.incrementAndGet();
	}

	private void write(FencingContext context, Write write, int value) {
		if (write == Write.REGISTER_THEN_WRITE) {
			Registration answer = this.stack.registry()
				.register(context.resource(), FencingTokens.of(context.generation(), 0),
						"owner-" + context.generation());
			assertThat(answer).isInstanceOf(Registration.Accepted.class);
		}
		if (write == Write.ROW_GUARD) {
			long token = context.nextToken();
			assertThat(this.stack.jdbc()
				.update("update counter set amount = ?, fencing_token = ? where fencing_token < ?", value, token,
						token))
				.isOne();
		}
		else {
			this.stack.jdbc().update("update counter set amount = ?", value);
		}
	}

	private void takeLeaseAway() {
		LeaseState state = this.provider.find(REQUEST.resource());
		assertThat(state).isNotNull();
		assertThat(this.provider.release(state.lease())).isTrue();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	enum Read {

		INSIDE_TRANSACTION, OUTSIDE_TRANSACTION

	}

	enum Write {

		PLAIN, ROW_GUARD, REGISTER_THEN_WRITE

	}

}
