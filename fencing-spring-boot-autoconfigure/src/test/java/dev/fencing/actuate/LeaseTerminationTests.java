package dev.fencing.actuate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.lease.LeaseState;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.CapturedLog;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.Endpoints;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.LeasedLockTemplate;
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

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, null);

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
			assertConflict(this.endpoint.end("counter:1"));
			add();
		});
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void leaseThatATransactionOfTheThreadKeepsIsNotEndedThere() {
		FencedLockTemplate joining = this.stack.locks(ActiveTransaction.JOIN);
		this.stack.transaction().executeWithoutResult((status) -> {
			joining.executeWithoutResult(REQUEST,
					(context) -> this.stack.jdbc().update("update counter set amount = amount + 1"));
			assertConflict(this.endpoint.end("counter:1"));
			assertThat(this.provider.find("counter:1")).isNotNull();
		});
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void leaseStaysWhereATransactionKeepsTheFenceFromBeingSet() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			CompletableFuture
				.runAsync(() -> this.stack.transaction()
					.executeWithoutResult((status) -> assertConflict(this.endpoint.end("counter:1"))))
				.join();
			assertThat(this.provider.find("counter:1")).isNotNull();
		});
	}

	@Test
	void leaseStaysWhereTheRegistryIsAway() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			this.stack.jdbc().execute("alter table fencing_generation rename to elsewhere");
			TerminationReport report = failingEnd(this.endpoint);
			this.stack.jdbc().execute("alter table elsewhere rename to fencing_generation");
			assertThat(report.ended()).isNull();
			assertThat(report.error()).startsWith("The generation registry failed: ");
			assertThat(this.provider.find("counter:1")).isNotNull();
			add();
		});
		assertThat(this.stack.counter()).isOne();
	}

	@Test
	void ownerIsFencedAlsoIfWhoeverWaitedForItFails() throws Exception {
		CountDownLatch failed = new CountDownLatch(1);
		LeaseProvider failing = new DelegatingLeaseProvider(this.provider) {
			@Override
			public LeaseAttempt acquire(LeaseRequest request) {
				LeaseAttempt attempt = super.acquire(request);
				if (attempt instanceof LeaseAttempt.Granted granted
						&& Thread.currentThread().getName().equals("waiting")) {
					release(granted.lease());
					throw new LeaseProviderException("Redis is away");
				}
				return attempt;
			}
		};
		try (LeaseRenewer renewer = new LeaseRenewer(failing, this.settings)) {
			HeldLeases held = new HeldLeases();
			// As in an application: whoever waits stands in the way of the operator
			FencingSources sources = Endpoints.sources(failing, "operator", held,
					new LeaseAcquirer(failing, renewer, this.settings, held), new RejectionLog(10),
					this.stack.registry());
			FencingEndpoint shared = new FencingEndpoint(sources);
			Thread waiting = new Thread(() -> {
				assertThatExceptionOfType(LeaseProviderException.class).isThrownBy(() -> sources.locks()
					.executeWithoutResult(REQUEST.waitTime(Duration.ofSeconds(30)), (context) -> {
					}));
				failed.countDown();
			}, "waiting");
			sources.locks().executeWithoutResult(REQUEST, (context) -> {
				waiting.start();
				await().until(() -> sources.acquirer().waiting().size() == 1);
				TerminationReport report = end(shared);
				assertThat(report.error()).isNull();
				assertThat(Long.parseLong(report.fencedBy())).isGreaterThan(context.generation());
				assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this::add);
			});
		}
		assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.stack.counter()).isZero();
	}

	@Test
	void ownerInThisInstanceIsToldAtOnce() {
		try (LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings)) {
			HeldLeases held = new HeldLeases();
			FencingSources sources = Endpoints.sources(this.provider, "operator", held,
					new LeaseAcquirer(this.provider, renewer, this.settings, held), new RejectionLog(10),
					this.stack.registry());
			sources.locks().executeWithoutResult(REQUEST, (context) -> {
				end(new FencingEndpoint(sources));
				assertThat(context.isLost()).isTrue();
				await().untilAsserted(() -> assertThat(sources.totals().report()).singleElement()
					.satisfies((totals) -> assertThat(totals.lost()).isOne()));
			});
		}
	}

	@Test
	void listenerThatHangsHoldsUpNoFence() {
		CountDownLatch hanging = new CountDownLatch(1);
		try (LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings)) {
			HeldLeases held = new HeldLeases();
			LeaseAcquirer acquirer = new LeaseAcquirer(this.provider, renewer, this.settings, held);
			FencingSources sources = Endpoints.sources(this.provider, "operator", held, acquirer, new RejectionLog(10),
					this.stack.registry());
			FencedLockTemplate told = new LeasedLockTemplate(this.provider, acquirer, this.stack.registry(),
					ActiveTransaction.REJECT, List.of(), new FencingListener() {
						@Override
						public void leaseLost(FencingContext context) {
							awaitQuietly(hanging);
						}
					}, Duration.ZERO, "test");
			told.executeWithoutResult(REQUEST, (context) -> {
				assertThat(end(new FencingEndpoint(sources)).fencedBy()).isNotNull();
				assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this::add);
			});
		}
		finally {
			hanging.countDown();
		}
	}

	@Test
	void attemptWhoseAnswerIsLostLeavesATrace() {
		FencingEndpoint cutOff = Endpoints.of(new DelegatingLeaseProvider(this.provider) {
			@Override
			public boolean release(Lease lease, Duration blockedFor) {
				super.release(lease, blockedFor);
				throw new LeaseProviderException("No answer\nWARN forged");
			}
		}, "operator", new RejectionLog(10), this.stack.registry());
		try (CapturedLog log = CapturedLog.of(LeaseTermination.class)) {
			this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
				assertThat(failingEnd(cutOff).fencedBy()).isNull();
				assertThat(this.provider.find("counter:1")).isNull();
				assertThat(Long.parseLong(end().fencedBy())).as("when it is called again")
					.isGreaterThan(context.generation());
			});
			assertThat(log.lines()).hasSize(2);
			assertThat(log.lines().get(0)).startsWith("WARN An operator has ended the lease on 'counter:1'")
				.endsWith("but its owner is not fenced yet, since 'No answer\\nWARN forged'");
			assertThat(log.lines().get(1)).endsWith(" is registered in its place");
		}
	}

	@Test
	void saysSoWhenNobodyIsRegisteredInItsPlace() {
		FencingEndpoint crowded = Endpoints.of(new DelegatingLeaseProvider(this.provider) {
			@Override
			public LeaseAttempt acquire(LeaseRequest request) {
				return new LeaseAttempt.Held(request.resources().get(0), Duration.ofSeconds(30));
			}
		}, "operator", new RejectionLog(10), this.stack.registry());
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> {
			TerminationReport report = failingEnd(crowded);
			assertThat(report.ended()).isNotNull();
			assertThat(report.fencedBy()).isNull();
			assertThat(report.error()).contains("call again");
		});
	}

	@Test
	void fenceIsAboveAnOwnerThatHasYetToRegisterWhateverBecameOfTheCounter() {
		InMemoryLeaseProvider reset = new InMemoryLeaseProvider(false, System::nanoTime);
		reset.acquire(new LeaseRequest("counter:1", "a1", Duration.ofSeconds(30), Duration.ofSeconds(1)));
		FencingEndpoint endpoint = Endpoints.of(new DelegatingLeaseProvider(reset) {
			@Override
			public LeaseState find(String resource) {
				LeaseState state = super.find(resource);
				return (state != null) ? new LeaseState(state.lease().withGeneration(5_000), state.remaining()) : null;
			}
		}, "operator", new RejectionLog(10), this.stack.registry());
		TerminationReport report = end(endpoint);
		assertThat(report.ended()).isNotNull();
		assertThat(Long.parseLong(report.fencedBy())).isGreaterThan(5_000);
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
			TerminationReport report = failingEnd(failing);
			assertThat(report.ended()).isNull();
			assertThat(report.fencedBy()).isNull();
			assertThat(report.error()).contains("Redis is away");
			assertThat(this.provider.find("counter:1")).isNotNull();
			assertThat(this.stack.registry().find("counter:1")).isEqualTo(before);
		});
	}

	private TerminationReport end() {
		return end(this.endpoint);
	}

	private static TerminationReport end(FencingEndpoint endpoint) {
		return (TerminationReport) askedElsewhere(endpoint);
	}

	private static TerminationReport failingEnd(FencingEndpoint endpoint) {
		WebEndpointResponse<?> response = (WebEndpointResponse<?>) askedElsewhere(endpoint);
		assertThat(response.getStatus()).isEqualTo(503);
		return (TerminationReport) response.getBody();
	}

	private static void assertConflict(Object answer) {
		assertThat(answer).isInstanceOfSatisfying(WebEndpointResponse.class,
				(response) -> assertThat(response.getStatus()).isEqualTo(409));
	}

	// An operator's request comes on a thread of its own
	private static Object askedElsewhere(FencingEndpoint endpoint) {
		return CompletableFuture.supplyAsync(() -> endpoint.end("counter:1")).join();
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void add() {
		this.stack.transaction()
			.executeWithoutResult((status) -> this.stack.jdbc().update("update counter set amount = amount + 1"));
	}

}
