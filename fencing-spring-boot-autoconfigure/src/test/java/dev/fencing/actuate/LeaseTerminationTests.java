package dev.fencing.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseState;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.Endpoints;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.RegisteredGeneration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A lease that an operator ends at the endpoint.
 */
@Timeout(60)
class LeaseTerminationTests {

	private static final LockRequest REQUEST = LockRequest.of("counter").key(1);

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final FencedStack stack = FencedStack.on(TestDatabase.POSTGRESQL, this.provider, true).withCounter();

	private final FencingEndpoint endpoint = Endpoints.of(this.provider, "operator", new RejectionLog(10),
			this.stack.registry());

	@AfterEach
	void close() {
		this.stack.close();
	}

	@Test
	void ownerIsFencedAlthoughNobodyElseWantsTheResource() {
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> this.stack.transaction().executeWithoutResult((status) -> {
				this.stack.jdbc().update("update counter set amount = 1");
				TerminationReport report = end();
				assertThat(report.resource()).isEqualTo("counter:1");
				assertThat(report.ended()).isNotNull();
				assertThat(report.ended().generation()).isEqualTo(Long.toString(context.generation()));
				assertThat(Long.parseLong(report.fencedBy())).isGreaterThan(context.generation());
				assertThat(report.holder()).isNull();
				assertThat(report.error()).isNull();
			})));
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void resourceIsFreeAfterwards() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			end();
			assertThat(this.provider.find("counter:1")).isNull();
			CompletableFuture.runAsync(() -> this.stack.locks().executeWithoutResult(REQUEST, (next) -> add())).join();
		});
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void whoeverWaitsGetsTheLeaseAndFencesTheOwner() throws Exception {
		CountDownLatch goOn = new CountDownLatch(1);
		CompletableFuture<Void> successor = new CompletableFuture<>();
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			Thread waiting = new Thread(() -> {
				try {
					this.stack.locks().executeWithoutResult(REQUEST, (next) -> {
						add();
						goOn.countDown();
					});
					successor.complete(null);
				}
				catch (RuntimeException ex) {
					successor.completeExceptionally(ex);
				}
			});
			waiting.start();
			await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
			end();
			await().until(() -> goOn.getCount() == 0);
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this::add);
		});
		successor.get(30, TimeUnit.SECONDS);
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void ownerWhoseLeaseIsOverAlreadyIsFencedToo() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			LeaseState state = this.provider.find("counter:1");
			this.provider.release(state.lease());
			TerminationReport report = end();
			assertThat(report.ended()).isNull();
			assertThat(Long.parseLong(report.fencedBy())).isGreaterThan(context.generation());
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this::add);
		});
	}

	@Test
	void shortestHoldThatKeepsOthersAwayIsEnded() {
		this.stack.locks().executeWithoutResult(REQUEST.minHold(Duration.ofMinutes(5)), (context) -> {
		});
		assertThat(this.provider.find("counter:1").isReleased()).isTrue();
		TerminationReport report = end();
		assertThat(report.ended()).isNotNull();
		assertThat(report.ended().released()).isTrue();
		assertThat(this.provider.find("counter:1")).isNull();
	}

	@Test
	void mistypedNameLeavesNothingBehind() {
		assertThat(this.endpoint.end("couter:1")).isEqualTo(new TerminationReport("couter:1", null, null, null, null));
		assertThat(this.stack.registry().find("couter:1")).isNull();
		assertThat(this.endpoint.end(" ")).isInstanceOfSatisfying(WebEndpointResponse.class,
				(response) -> assertThat(response.getStatus()).isEqualTo(400));
	}

	@Test
	void isRefusedWhereTheOwnerWouldNotBeFenced() {
		FencingEndpoint unregistered = Endpoints.of(this.provider, "operator", new RejectionLog(10));
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			assertThat(askedElsewhere(unregistered)).isInstanceOfSatisfying(WebEndpointResponse.class, (response) -> {
				assertThat(response.getStatus()).isEqualTo(409);
				assertThat(((Refusal) response.getBody()).error()).contains("fencing.jdbc.registration");
			});
			assertThat(this.provider.find("counter:1")).isNotNull();
		});
	}

	@Test
	void lockedCodeDoesNotEndItsOwnLease() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			assertThat(this.endpoint.end("counter:1")).isInstanceOfSatisfying(WebEndpointResponse.class,
					(response) -> assertThat(response.getStatus()).isEqualTo(409));
			add();
		});
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void leaseThatCannotBeEndedStaysAndItsOwnerIsNotFenced() {
		FencingEndpoint failing = Endpoints.of(new DelegatingLeaseProvider(this.provider) {
			@Override
			public boolean release(Lease lease, Duration blockedFor) {
				throw new LeaseProviderException("Redis is away");
			}
		}, "operator", new RejectionLog(10), this.stack.registry());
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			RegisteredGeneration before = this.stack.registry().find("counter:1");
			TerminationReport report = end(failing);
			assertThat(report.ended()).isNull();
			assertThat(report.fencedBy()).isNull();
			assertThat(report.holder()).isNotNull();
			assertThat(report.error()).contains("Redis is away");
			assertThat(this.stack.registry().find("counter:1")).isEqualTo(before);
		});
	}

	private TerminationReport end() {
		return end(this.endpoint);
	}

	private static TerminationReport end(FencingEndpoint endpoint) {
		return (TerminationReport) askedElsewhere(endpoint);
	}

	// An operator's request comes on a thread of its own
	private static Object askedElsewhere(FencingEndpoint endpoint) {
		return CompletableFuture.supplyAsync(() -> endpoint.end("counter:1")).join();
	}

	private void add() {
		this.stack.transaction()
			.executeWithoutResult((status) -> this.stack.jdbc().update("update counter set amount = amount + 1"));
	}

}
