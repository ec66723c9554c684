package dev.fencing.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockCallObserver;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.transaction.ActiveTransaction;
import dev.fencing.transaction.LeasedLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ObservedLockCalls}.
 */
class ObservedLockCallsTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key("secret");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ZERO, null, null);

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	private final FencedLockTemplate locks = locks(new ObservedLockCalls(this.registry, null));

	@AfterEach
	void close() {
		assertThat(this.registry.getCurrentObservation()).isNull();
		assertThat(this.provider.find("document:secret")).isNull();
		this.renewer.close();
	}

	@Test
	void callIsObservedWithLockOutcomeAndGeneration() {
		long generation = this.locks.execute(REQUEST, (context) -> context.generation());
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasNumberOfObservationsEqualTo(1)
			.hasSingleObservationThat()
			.hasNameEqualTo("fence.lock")
			.hasContextualNameEqualTo("lock document")
			.hasLowCardinalityKeyValue("lock", "document")
			.hasLowCardinalityKeyValue("outcome", "acquired")
			.hasHighCardinalityKeyValue("generation", Long.toString(generation))
			.hasBeenStarted()
			.hasBeenStopped()
			.doesNotHaveError();
	}

	@Test
	void keyIsNoPartOfIt() {
		this.locks.executeWithoutResult(REQUEST, (context) -> {
		});
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasSingleObservationThat()
			.satisfies((context) -> assertThat(
					List.of(context.getName(), context.getContextualName(), context.getAllKeyValues().toString()))
				.noneMatch((text) -> text.contains("secret")));
	}

	@Test
	void whatTheLockedCodeDoesBelongsToIt() {
		Observation[] current = new Observation[1];
		this.locks.executeWithoutResult(REQUEST, (context) -> {
			current[0] = this.registry.getCurrentObservation();
			this.locks.executeWithoutResult(REQUEST, (same) -> {
			});
		});
		assertThat(current[0]).isNotNull();
		assertThat(current[0].getContextView().getName()).isEqualTo("fence.lock");
		TestObservationRegistryAssert.assertThat(this.registry)
			.as("the call under the lease that it has")
			.hasNumberOfObservationsEqualTo(1);
	}

	@Test
	void failureOfTheLockedCodeIsItsError() {
		IllegalStateException failure = new IllegalStateException("failed");
		assertThatIllegalStateException().isThrownBy(() -> this.locks.executeWithoutResult(REQUEST, (context) -> {
			throw failure;
		})).isSameAs(failure);
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasSingleObservationThat()
			.hasLowCardinalityKeyValue("outcome", "acquired")
			.hasError(failure)
			.hasBeenStopped();
	}

	@Test
	void callThatGetsNoLeaseTellsHowItEnded() {
		this.locks.executeWithoutResult(REQUEST, (context) -> CompletableFuture.runAsync(() -> {
			assertThat(this.locks.tryExecute(REQUEST, (other) -> "ran")).isEqualTo(Optional.empty());
			assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> this.locks.executeWithoutResult(REQUEST, (other) -> {
				}));
		}).join());
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasNumberOfObservationsEqualTo(3)
			.hasAnObservationWithAKeyValue("outcome", "skipped")
			.hasAnObservationWithAKeyValue("outcome", "unavailable");
	}

	@Test
	void callUnderWayIsNoFailure() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		this.registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		this.locks.executeWithoutResult(REQUEST,
				(context) -> assertThat(
						meters.get("fence.lock.active").tag("outcome", "unknown").longTaskTimer().activeTasks())
					.isOne());
		assertThat(meters.get("fence.lock").tag("outcome", "acquired").timer().count()).isOne();
	}

	@Test
	void callThatIsRefusedBeforeItAsksForALeaseIsNotObserved() {
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThatExceptionOfType(LockInsideTransactionException.class)
				.isThrownBy(() -> this.locks.executeWithoutResult(REQUEST, (context) -> {
				}));
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
		TestObservationRegistryAssert.assertThat(this.registry).doesNotHaveAnyObservation();
	}

	@Test
	void conventionOfTheApplicationNamesIt() {
		FencedLockTemplate named = locks(new ObservedLockCalls(this.registry, new FencedLockObservationConvention() {
			@Override
			public String getName() {
				return "lease";
			}

			@Override
			public KeyValues getLowCardinalityKeyValues(FencedLockObservationContext context) {
				return KeyValues.of(KeyValue.of("what", context.lock()));
			}
		}));
		named.executeWithoutResult(REQUEST, (context) -> {
		});
		TestObservationRegistryAssert.assertThat(this.registry)
			.hasSingleObservationThat()
			.hasNameEqualTo("lease")
			.hasLowCardinalityKeyValue("what", "document");
	}

	@Test
	void nothingIsMadeWhereNobodyHandlesObservations() {
		assertThat(new ObservedLockCalls(ObservationRegistry.NOOP, null).begin(REQUEST))
			.isSameAs(LockCallObserver.LockCall.NONE);
		assertThat(new ObservedLockCalls(ObservationRegistry.create(), null).begin(REQUEST))
			.isSameAs(LockCallObserver.LockCall.NONE);
	}

	@Test
	void handlerThatFailsKeepsNeitherTheCodeFromRunningNorTheLease() {
		for (String at : List.of("onStart", "onScopeOpened", "onScopeClosed", "onError", "onStop")) {
			ObservationRegistry failing = ObservationRegistry.create();
			failing.observationConfig().observationHandler(new FailingHandler(at));
			FencedLockTemplate observed = locks(new ObservedLockCalls(failing, null));
			assertThat(observed.<String, RuntimeException>execute(REQUEST, (context) -> at)).isEqualTo(at);
			assertThatIllegalStateException().isThrownBy(() -> observed.executeWithoutResult(REQUEST, (context) -> {
				throw new IllegalStateException("of the code");
			})).withMessage("of the code");
			assertThat(this.provider.find("document:secret")).isNull();
			assertThat(failing.getCurrentObservation()).as("after a failure at " + at).isNull();
		}
	}

	private FencedLockTemplate locks(LockCallObserver observer) {
		return new LeasedLockTemplate(this.provider,
				new LeaseAcquirer(this.provider, this.renewer, this.settings, new HeldLeases()), null,
				ActiveTransaction.REJECT, List.of(), new FencingMetrics(new SimpleMeterRegistry()), observer,
				Duration.ZERO, "test");
	}

	private static final class FailingHandler implements ObservationHandler<Observation.Context> {

		private final String at;

		private FailingHandler(String at) {
			this.at = at;
		}

		@Override
		public void onStart(Observation.Context context) {
			fail("onStart");
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			fail("onScopeOpened");
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			fail("onScopeClosed");
		}

		@Override
		public void onError(Observation.Context context) {
			fail("onError");
		}

		@Override
		public void onStop(Observation.Context context) {
			fail("onStop");
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		private void fail(String event) {
			if (event.equals(this.at)) {
				throw new IllegalStateException("The handler fails at " + event);
			}
		}

	}

}
