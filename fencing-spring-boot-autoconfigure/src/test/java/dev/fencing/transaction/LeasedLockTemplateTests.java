package dev.fencing.transaction;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.FencingException;
import dev.fencing.FencingListener;
import dev.fencing.FencingTokens;
import dev.fencing.IssuerRegressedException;
import dev.fencing.LeaseProviderException;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.lease.HeldLeases;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseAcquirer;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRenewer;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseSettings;
import dev.fencing.lease.LeaseState;
import dev.fencing.lease.RenewalAnswer;
import dev.fencing.testsupport.DelegatingLeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeasedLockTemplateTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42).waitTime(Duration.ZERO);

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final MapRegistry registry = new MapRegistry();

	private final RecordingListener events = new RecordingListener();

	private final HeldLeases held = new HeldLeases();

	private final LeaseSettings settings = new LeaseSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), null, null);

	private final LeaseRenewer renewer = new LeaseRenewer(this.provider, this.settings);

	private final LeasedLockTemplate template = template(this.provider, this.registry);

	@AfterEach
	void close() {
		this.renewer.close();
		assertThat(FencingContext.current()).isEmpty();
		assertThat(this.held.snapshot()).isEmpty();
		assertThat(this.renewer.pending()).isZero();
	}

	@Test
	void ownerIsRegisteredBeforeTheBodyAndTheLeaseReleasedAfterIt() {
		String result = this.template.execute(REQUEST, (context) -> {
			assertThat(this.registry.find("document:42")).isEqualTo(
					new RegisteredGeneration(FencingTokens.of(context.generation(), 0), ownerInProvider(), null));
			assertThat(this.held.snapshot()).singleElement()
				.satisfies((lease) -> assertThat(lease.generation()).isEqualTo(context.generation()));
			return "done";
		});
		assertThat(result).isEqualTo("done");
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.events.names).containsExactly("known document", "ended ACQUIRED", "acquired", "released");
	}

	@Test
	void failureOfTheBodyPassesUntouched() {
		IOException failure = new IOException("body");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.template.execute(REQUEST, (context) -> {
			throw failure;
		})).isSameAs(failure).satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void sameResourceInsideItsOwnLeaseIsTheSameAcquisition() {
		this.template.executeWithoutResult(REQUEST, (outer) -> {
			this.template.executeWithoutResult(REQUEST, (inner) -> assertThat(inner).isSameAs(outer));
			assertThat(this.template.tryExecuteWithoutResult(REQUEST, (inner) -> assertThat(inner).isSameAs(outer)))
				.isTrue();
			assertThat(FencingContext.require("document", 42)).isSameAs(outer);
			assertThat(this.provider.find("document:42")).isNotNull();
		});
		assertThat(this.registry.registrations).isEqualTo(1);
	}

	@Test
	void otherResourceInsideALeaseIsALeaseOfItsOwn() {
		this.template.executeWithoutResult(REQUEST,
				(outer) -> this.template.executeWithoutResult(LockRequest.of("customer").key(3), (inner) -> {
					assertThat(inner.generation()).isGreaterThan(outer.generation());
					assertThat(FencingContext.require()).isSameAs(inner);
					assertThat(FencingContext.require("document", 42)).isSameAs(outer);
					assertThatExceptionOfType(NoFencedLeaseException.class)
						.isThrownBy(() -> FencingContext.require("document", 43))
						.withMessageContaining("document:43");
				}));
	}

	@Test
	void bodyDoesNotRunWhileAnotherOwnerHoldsTheLease() {
		this.provider.acquire(new LeaseRequest("document:42", "other", Duration.ofSeconds(30), Duration.ofSeconds(1)));
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.template.execute(REQUEST, (context) -> neverRun()))
			.withMessageContaining("document:42");
		Optional<String> skipped = this.template.tryExecute(REQUEST.waitTime(null), (context) -> neverRun());
		assertThat(skipped).isEmpty();
		assertThat(ownerInProvider()).isEqualTo("other");
		assertThat(this.events.names).containsExactly("known document", "ended UNAVAILABLE", "ended SKIPPED");
		this.provider.release(new Lease("document:42", "other", 1));
	}

	@Test
	void failureOfTheProviderIsNeverSkipped() {
		LeasedLockTemplate failing = template(new FailingProvider(), this.registry);
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> failing.tryExecute(REQUEST, (context) -> neverRun()));
		assertThat(this.events.names).containsExactly("known document", "ended FAILED");
	}

	@Test
	void failureOfTheRegistrationGivesTheLeaseBack() {
		this.registry.failure = new DataAccessResourceFailureException("down");
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> this.template.execute(REQUEST, (context) -> neverRun()));
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void numberThatTheDatabaseHasAcceptedAlreadyIsHealedBeforeTheBody() {
		long mark = FencingTokens.of(8_000_000_000_000L, 7);
		this.registry.set("document:42", mark, "earlier");
		this.template.executeWithoutResult(REQUEST, (context) -> {
			assertThat(context.generation()).isEqualTo(8_000_000_000_001L);
			LeaseState state = this.provider.find("document:42");
			assertThat(state).isNotNull();
			assertThat(state.lease().generation()).isEqualTo(context.generation());
		});
		assertThat(this.events.rejections).singleElement().satisfies((rejection) -> {
			assertThat(rejection.reason()).isEqualTo(Rejection.Reason.REGRESSED);
			assertThat(rejection.guard()).isEqualTo(Rejection.Guard.REGISTRATION);
			assertThat(rejection.acceptedToken()).isEqualTo(mark);
		});
		assertThat(this.events.names).contains("regressed").containsOnlyOnce("rejected");
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MAX_VALUE, 9_000_000_000_000_000_000L })
	void markThatIsAbsurdlyHighIsAClearErrorAndLeavesTheNumbersToTheOthers(long mark) {
		this.registry.set("document:42", mark, "somebody");
		assertThatExceptionOfType(IssuerRegressedException.class)
			.isThrownBy(() -> this.template.execute(REQUEST, (context) -> neverRun()))
			.withMessageContaining("document:42")
			.withMessageContaining("generation registry");
		assertThat(this.provider.find("document:42")).isNull();
		this.template.executeWithoutResult(LockRequest.of("document").key(43),
				(context) -> assertThat(FencingTokens.of(context.generation(), 0)).isLessThan(mark));
		this.registry.set("document:42", FencingTokens.of(1, 0), "somebody");
		this.template.executeWithoutResult(REQUEST, (context) -> {
		});
	}

	@Test
	void shortestHoldDoesNotBlockWhereNothingHasRun() {
		this.registry.set("document:42", Long.MAX_VALUE, "somebody");
		assertThatExceptionOfType(IssuerRegressedException.class)
			.isThrownBy(() -> this.template.execute(REQUEST.minHold(Duration.ofHours(1)), (context) -> neverRun()));
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void ownerWhoseLeaseHasPassedOnBeforeItRegisteredIsStale() {
		this.registry.beforeRegistration = () -> {
			this.registry.beforeRegistration = null;
			LeaseState state = this.provider.find("document:42");
			assertThat(state).isNotNull();
			this.provider.release(state.lease());
			this.template.executeWithoutResult(REQUEST, (successor) -> {
			});
		};
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.template.execute(REQUEST, (context) -> neverRun()))
			.satisfies((ex) -> {
				assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.REGISTRATION);
				assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
				assertThat(ex.getAcceptedToken()).isGreaterThan(ex.getRejectedToken());
			});
		assertThat(this.events.names).doesNotContain("regressed");
	}

	@Test
	void numberThatAnotherOwnerHasAsWellIsARegressionAlsoWhenTheLeaseHasPassedOn() {
		this.registry.beforeRegistration = () -> {
			this.registry.beforeRegistration = null;
			LeaseState state = this.provider.find("document:42");
			assertThat(state).isNotNull();
			this.registry.set("document:42", FencingTokens.of(state.lease().generation(), 0), "other");
			this.provider.release(state.lease());
		};
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.template.execute(REQUEST, (context) -> neverRun()))
			.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(Rejection.Reason.REGRESSED));
		assertThat(this.events.rejections).singleElement()
			.satisfies((rejection) -> assertThat(rejection.reason()).isEqualTo(Rejection.Reason.REGRESSED));
		assertThat(this.events.names).containsOnlyOnce("regressed");
	}

	@Test
	@Timeout(60)
	void bodyDoesNotRunUnderALeaseThatWentWhileItsOwnerWasRegistered() {
		LockRequest tooShort = REQUEST.maxHold(Duration.ofMillis(100));
		this.registry.beforeRegistration = () -> Awaitility.await()
			.until(() -> this.held.snapshot().get(0).remaining().isZero());
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.template.execute(tooShort, (context) -> neverRun()))
			.withMessageContaining("'document:42'")
			.withMessageContaining("max-hold");
		// Not a skip either: nobody else has it
		assertThatExceptionOfType(LeaseUnavailableException.class)
			.isThrownBy(() -> this.template.tryExecute(tooShort, (context) -> neverRun()));
		assertThat(this.provider.find("document:42")).isNull();
		assertThat(this.held.calls()).isZero();
		assertThat(this.events.names).contains("ended FAILED").doesNotContain("ended ACQUIRED", "acquired");
	}

	@Test
	@Timeout(60)
	void bodyDoesNotRunUnderALeaseOfWhichAnotherOwnerIsKnown() {
		LeaseProvider taken = new TakingProvider(this.provider);
		try (LeaseRenewer told = new LeaseRenewer(taken, this.settings)) {
			LeasedLockTemplate locks = template(taken, told);
			this.registry.beforeRegistration = () -> Awaitility.await().until(() -> told.pending() == 0);
			assertThatExceptionOfType(LeaseUnavailableException.class)
				.isThrownBy(() -> locks.execute(REQUEST.leaseTime(Duration.ofSeconds(1)), (context) -> neverRun()))
				.withMessageContaining("has it now");
		}
	}

	@Test
	@Timeout(60)
	void ownerOfWhomOnlyTheProviderTellsIsRefusedWhereItIsKnownForWhat() {
		LeaseProvider taken = new TakingProvider(this.provider);
		try (LeaseRenewer told = new LeaseRenewer(taken, this.settings)) {
			LeasedLockTemplate locks = template(taken, told);
			locks.executeWithoutResult(REQUEST.leaseTime(Duration.ofSeconds(1)), (context) -> {
				Awaitility.await().until(() -> told.pending() == 0);
				assertThatExceptionOfType(StaleGenerationException.class)
					.isThrownBy(((Acquisition) context)::refuseIfTaken)
					.satisfies((ex) -> assertThat(ex.getResource()).isEqualTo("document:42"));
			});
			locks.executeWithoutResult(REQUEST.keys(List.of(1, 2)).leaseTime(Duration.ofSeconds(1)), (context) -> {
				Awaitility.await().until(() -> told.pending() == 0);
				((Acquisition) context).refuseIfTaken();
			});
		}
		assertThat(this.events.rejections).hasSize(1);
	}

	@Test
	void counterIsRaisedWhereTheTokenOfAnotherLeaseWasFound() {
		List<String> raised = new ArrayList<>();
		LeasedLockTemplate locks = template(new DelegatingLeaseProvider(this.provider) {
			@Override
			public void raise(String resource, long aboveGeneration) {
				raised.add(resource + " " + aboveGeneration);
			}
		}, this.registry);
		locks.executeWithoutResult(REQUEST.keys(List.of(1, 2)), (context) -> {
			this.registry.set("document:2", FencingTokens.of(5, 0), "from a backup");
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(context::assertCurrent);
		});
		assertThat(raised).containsExactly("document:2 5");
	}

	@Test
	void counterIsNotRaisedAboveATokenThatIsAbsurdlyHigh() {
		LeasedLockTemplate locks = template(new DelegatingLeaseProvider(this.provider) {
			@Override
			public void raise(String resource, long aboveGeneration) {
				throw new AssertionError("Raised above " + aboveGeneration);
			}
		}, this.registry);
		locks.executeWithoutResult(REQUEST,
				(context) -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> {
					throw ((Acquisition) context).reject(Rejection.Guard.ROW, Rejection.Reason.FOREIGN, "document:42",
							Long.MAX_VALUE, null);
				}));
	}

	@Test
	void messagesNameAllThatIsLockedTogether() {
		LockRequest both = REQUEST.keys(List.of(1, 2));
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			assertThatExceptionOfType(LockInsideTransactionException.class)
				.isThrownBy(() -> this.template.execute(both, (context) -> neverRun()))
				.withMessageContaining("'document:1', 'document:2'");
		}
		finally {
			TransactionSynchronizationManager.setActualTransactionActive(false);
		}
		template(this.provider, (GenerationRegistry) null).executeWithoutResult(both,
				(context) -> assertThatExceptionOfType(FencingException.class).isThrownBy(context::assertCurrent)
					.withMessageContaining("'document:1', 'document:2'"));
	}

	@Test
	void tokensOfAnAcquisitionGrowUntilTheyAreUsedUp() {
		this.template.executeWithoutResult(REQUEST, (context) -> {
			assertThat(context.nextToken()).isEqualTo(FencingTokens.of(context.generation(), 1));
			assertThat(context.nextToken()).isEqualTo(FencingTokens.of(context.generation(), 2));
			for (int i = 3; i < FencingTokens.PER_GENERATION; i++) {
				context.nextToken();
			}
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(FencingException.class).isThrownBy(context::nextToken)
					.withMessageContaining("portions");
			}
		});
	}

	@Test
	void ownerCanAskWhetherItIsTheCurrentOne() {
		this.template.executeWithoutResult(REQUEST, (context) -> {
			context.assertCurrent();
			this.registry.set("document:42", FencingTokens.of(context.generation() + 1, 0), "successor");
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(context::assertCurrent)
				.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.LEASE));
		});
		assertThat(this.events.rejections).hasSize(1);
	}

	@Test
	void registryThatFellBackIsNoStaleOwner() {
		this.template.executeWithoutResult(REQUEST, (context) -> {
			this.registry.set("document:42", FencingTokens.of(1, 0), "from a backup");
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(context::assertCurrent)
				.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(Rejection.Reason.FOREIGN));
		});
	}

	@Test
	void nobodyCanTellWithoutRegistration() {
		template(this.provider, (GenerationRegistry) null).executeWithoutResult(REQUEST,
				(context) -> assertThatExceptionOfType(FencingException.class).isThrownBy(context::assertCurrent)
					.withMessageContaining("fencing.jdbc.registration"));
	}

	@Test
	void interruptedOwnerReleasesAndStaysInterrupted() {
		this.template.executeWithoutResult(REQUEST, (context) -> Thread.currentThread().interrupt());
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.provider.find("document:42")).isNull();
	}

	@Test
	void contextThatOutlivesItsLockSaysThatItIsLost() {
		FencingContext context = this.template.<FencingContext, RuntimeException>execute(REQUEST, (current) -> current);
		assertThat(context.isLost()).isTrue();
		assertThat(context.remaining()).isZero();
	}

	@Test
	void gateThatRefusesKeepsTheLeaseFromBeingTaken() {
		LeasedLockTemplate guarded = new LeasedLockTemplate(this.provider,
				new LeaseAcquirer(this.provider, this.renewer, this.settings, this.held), this.registry,
				ActiveTransaction.REJECT, List.of((request) -> {
					throw new FencingException("not here");
				}), this.events, Duration.ZERO, "test");
		assertThatExceptionOfType(FencingException.class)
			.isThrownBy(() -> guarded.execute(REQUEST, (context) -> neverRun()))
			.withMessage("not here");
		assertThat(this.registry.registrations).isZero();
	}

	private LeasedLockTemplate template(LeaseProvider provider, @Nullable GenerationRegistry registry) {
		return new LeasedLockTemplate(provider, new LeaseAcquirer(provider, this.renewer, this.settings, this.held),
				registry, ActiveTransaction.REJECT, List.of(), this.events, this.settings.waitTime(), "test");
	}

	private LeasedLockTemplate template(LeaseProvider provider, LeaseRenewer told) {
		return new LeasedLockTemplate(provider, new LeaseAcquirer(provider, told, this.settings, this.held),
				this.registry, ActiveTransaction.REJECT, List.of(), this.events, Duration.ZERO, "test");
	}

	private String ownerInProvider() {
		LeaseState state = this.provider.find("document:42");
		assertThat(state).isNotNull();
		return state.lease().nonce();
	}

	private static String neverRun() {
		throw new AssertionError("The body ran");
	}

	static final class MapRegistry implements GenerationRegistry {

		private final Map<String, RegisteredGeneration> rows = new HashMap<>();

		private int registrations;

		private @Nullable RuntimeException failure;

		private @Nullable Runnable beforeRegistration;

		void set(String resource, long token, String owner) {
			this.rows.put(resource, new RegisteredGeneration(token, owner, null));
		}

		@Override
		public boolean isUnlocked(String resource) {
			return true;
		}

		@Override
		public Registration register(String resource, long token, String owner) {
			if (this.beforeRegistration != null) {
				this.beforeRegistration.run();
			}
			if (this.failure != null) {
				throw this.failure;
			}
			this.registrations++;
			RegisteredGeneration current = this.rows.get(resource);
			if (current != null && current.token() >= token) {
				return new Registration.Refused(current);
			}
			set(resource, token, owner);
			return new Registration.Accepted();
		}

		@Override
		public @Nullable RegisteredGeneration find(String resource) {
			return this.rows.get(resource);
		}

	}

	static final class RecordingListener implements FencingListener {

		private final List<String> names = new ArrayList<>();

		private final List<Rejection> rejections = new ArrayList<>();

		@Override
		public void lockKnown(String lock) {
			this.names.add("known " + lock);
		}

		@Override
		public void acquisitionEnded(String lock, AcquisitionOutcome outcome, Duration waited) {
			this.names.add("ended " + outcome);
		}

		@Override
		public void leaseAcquired(FencingContext context) {
			this.names.add("acquired");
		}

		@Override
		public void leaseEnded(FencingContext context, Duration held) {
			this.names.add("released");
		}

		@Override
		public void rejected(Rejection rejection) {
			this.names.add("rejected");
			this.rejections.add(rejection);
		}

		@Override
		public void issuerRegressed(Rejection rejection) {
			this.names.add("regressed");
		}

	}

	static final class FailingProvider extends DelegatingLeaseProvider {

		FailingProvider() {
			super(new InMemoryLeaseProvider());
		}

		@Override
		public LeaseAttempt acquire(LeaseRequest request) {
			throw new LeaseProviderException("down");
		}

	}

	/**
	 * Says of each lease that another owner has it.
	 */
	static final class TakingProvider extends DelegatingLeaseProvider {

		TakingProvider(LeaseProvider provider) {
			super(provider);
		}

		@Override
		public CompletionStage<List<RenewalAnswer>> renew(List<LeaseExtension> extensions) {
			return CompletableFuture.completedFuture(extensions.stream()
				.<RenewalAnswer>map((extension) -> new RenewalAnswer.Taken(extension.lease().generation() + 1))
				.toList());
		}

	}

}
