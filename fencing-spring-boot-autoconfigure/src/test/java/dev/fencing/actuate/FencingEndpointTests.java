package dev.fencing.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.dao.DataAccessResourceFailureException;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseHold;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionPage;
import dev.fencing.testsupport.Endpoints;
import dev.fencing.transaction.RegisteredGeneration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link FencingEndpoint}.
 */
class FencingEndpointTests {

	private final OperatorFixture fixture = new OperatorFixture();

	private final FencingEndpoint endpoint = this.fixture.endpoint(true);

	@Test
	void reportNamesProviderAndInstance() {
		FencingReport report = report();
		assertThat(report.provider()).isEqualTo("fixture");
		assertThat(report.instance()).isEqualTo("host-1");
		assertThat(report.leases()).isEmpty();
		assertThat(report.rejections()).isEqualTo(new FencingReport.Rejections(0, "memory", 0, List.of(), null, null));
		assertThat(report.durability()).isEqualTo(new FencingReport.Durability(List.of(), null));
	}

	@Test
	void reportListsWhatIsHeldUntilItEnds() {
		LeaseHold hold = this.fixture.acquire("document", 42);
		assertThat(report().leases()).singleElement().satisfies((lease) -> {
			assertThat(lease.lock()).isEqualTo("document");
			assertThat(lease.resource()).isEqualTo("document:42");
			assertThat(lease.generation()).isEqualTo(Long.toString(OperatorFixture.GENERATION));
			assertThat(Duration.parse(lease.heldFor())).isBetween(Duration.ZERO, Duration.ofSeconds(30));
			assertThat(Duration.parse(lease.remaining())).isBetween(Duration.ofMillis(1), Duration.ofSeconds(30));
		});
		this.fixture.end(hold);
		assertThat(report().leases()).isEmpty();
	}

	@Test
	void reportListsRejectionsNewestFirst() {
		this.fixture.reject("document:41", OperatorFixture.TOKEN, null);
		this.fixture.reject("document:42", OperatorFixture.TOKEN, OperatorFixture.TOKEN + 1);
		assertThat(report().rejections().total()).isEqualTo(2);
		assertThat(report().rejections().recent()).containsExactly(
				new RejectionReport("2026-01-31T12:00:00.123456Z", "document", "document:42", "1790000000123000007",
						"1790000000123000008", "transaction", "stale", "a1", "host-1"),
				new RejectionReport("2026-01-31T12:00:00.123456Z", "document", "document:41", "1790000000123000007",
						null, "transaction", "stale", "a1", "host-1"));
	}

	@Test
	void reportTellsHowWellLeasesAreKept() {
		this.fixture.durability = new DurabilityReport(List.of(OperatorFixture.FINDING), "The rest is unknown");
		assertThat(report().durability())
			.isEqualTo(new FencingReport.Durability(List.of(OperatorFixture.FINDING), "The rest is unknown"));
	}

	@Test
	void providerThatFailsToTellHidesNothingThatTheOthersKnow() {
		this.fixture.reject("document:42", OperatorFixture.TOKEN, null);
		this.fixture.providerFailure = new LeaseProviderException("Redis is away");
		assertThat(report().rejections().total()).isOne();
		assertThat(report().durability())
			.isEqualTo(new FencingReport.Durability(List.of(), "The lease provider failed: Redis is away"));
	}

	@Test
	void rejectionsAreReadInPages() {
		for (int key = 1; key <= 3; key++) {
			this.fixture.reject("document:" + key, OperatorFixture.TOKEN, null);
		}
		FencingReport.Rejections first = ((FencingReport) this.endpoint.fencing(null, null, 2)).rejections();
		this.fixture.reject("document:4", OperatorFixture.TOKEN, null);
		FencingReport.Rejections second = ((FencingReport) this.endpoint.fencing(null, Long.valueOf(first.next()), 2))
			.rejections();
		assertThat(first.recent()).extracting(RejectionReport::resource).containsExactly("document:3", "document:2");
		assertThat(second.recent()).extracting(RejectionReport::resource).containsExactly("document:1");
		assertThat(second.next()).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 1001 })
	void pageOfAnOddSizeIsRefused(int size) {
		assertThat(this.endpoint.fencing(null, null, size)).isInstanceOfSatisfying(WebEndpointResponse.class,
				(response) -> {
					assertThat(response.getStatus()).isEqualTo(400);
					assertThat(response.getBody()).asString().contains("from 1 to 1000");
				});
	}

	@Test
	void storeThatFailsHidesNothingThatThisInstanceKnows() {
		this.fixture.reject("document:42", OperatorFixture.TOKEN, null);
		RejectionHistory failing = new RejectionHistory() {
			@Override
			public String name() {
				return "jdbc";
			}

			@Override
			public RejectionPage page(@Nullable String resource, @Nullable Long before, int size) {
				throw new DataAccessResourceFailureException("Database is away");
			}
		};
		FencingEndpoint endpoint = this.fixture.endpoint(failing);
		FencingReport.Rejections rejections = ((FencingReport) endpoint.fencing(null, null, null)).rejections();
		assertThat(rejections.store()).isEqualTo("memory");
		assertThat(rejections.recent()).hasSize(1);
		assertThat(rejections.error()).isEqualTo("The store of rejections failed: Database is away");
		ResourceReport resource = (ResourceReport) endpoint.fencing("document:42", null, null);
		assertThat(resource.rejections().recent()).hasSize(1);
		assertThat(resource.error()).isEqualTo("The store of rejections failed: Database is away");
	}

	@Test
	@Timeout(60)
	void storeThatKeepsItsCallersWaitingHoldsUpNoReport() {
		CountDownLatch never = new CountDownLatch(1);
		RejectionHistory hanging = new RejectionHistory() {
			@Override
			public String name() {
				return "jdbc";
			}

			@Override
			public RejectionPage page(@Nullable String resource, @Nullable Long before, int size) {
				try {
					never.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return new RejectionPage(List.of(), null);
			}
		};
		FencingEndpoint endpoint = this.fixture.endpoint(hanging);
		// More often than there are threads for it
		for (int i = 0; i < 6; i++) {
			FencingReport.Rejections rejections = ((FencingReport) endpoint.fencing(null, null, null)).rejections();
			assertThat(rejections.store()).isEqualTo("memory");
			assertThat(rejections.error()).startsWith("The store of rejections failed: ");
		}
		never.countDown();
		await()
			.untilAsserted(() -> assertThat(((FencingReport) endpoint.fencing(null, null, null)).rejections().store())
				.isEqualTo("jdbc"));
	}

	@Test
	void blankResourceGivesTheReportOnTheInstance() {
		assertThat(this.endpoint.fencing("", null, null)).isInstanceOf(FencingReport.class);
		assertThat(this.endpoint.fencing(" ", null, null)).isInstanceOf(FencingReport.class);
	}

	@Test
	void resourceShowsHolderMarkAndItsRejections() {
		fillInDocument42();
		this.fixture.reject("document:4", OperatorFixture.TOKEN, null);
		this.fixture.reject("document:42", OperatorFixture.TOKEN, OperatorFixture.TOKEN + 1);
		ResourceReport report = resource("document:42");
		assertThat(report.resource()).isEqualTo("document:42");
		assertThat(report.holder()).isEqualTo(new ResourceReport.Holder("b2", "1790000000124", "PT12.5S", false));
		assertThat(report.registered()).isEqualTo(
				new ResourceReport.Registered("1790000000124000000", "1790000000124", "b2", "2026-01-31T12:00:00Z"));
		assertThat(report.rejections().recent()).extracting(RejectionReport::resource).containsExactly("document:42");
		assertThat(report.error()).isNull();
	}

	@Test
	void resourceTellsThatItsHolderIsDoneAndOnlyTheShortestHoldGoesOn() {
		InMemoryLeaseProvider provider = new InMemoryLeaseProvider();
		FencingEndpoint endpoint = Endpoints.of(provider, "host-1", this.fixture.rejections);
		provider.acquire(new LeaseRequest("nightly", "b2", Duration.ofSeconds(30), Duration.ofSeconds(1)));
		ResourceReport running = (ResourceReport) endpoint.fencing("nightly", null, null);
		assertThat(running.holder()).isNotNull();
		assertThat(running.holder().owner()).isEqualTo("b2");
		assertThat(running.holder().released()).isFalse();
		provider.release(new Lease("nightly", "b2", Long.parseLong(running.holder().generation())),
				Duration.ofSeconds(10));
		ResourceReport done = (ResourceReport) endpoint.fencing("nightly", null, null);
		assertThat(done.holder()).isNotNull();
		assertThat(done.holder().owner()).as("as the registry has it").isEqualTo("b2");
		assertThat(done.holder().released()).isTrue();
		assertThat(Duration.parse(done.holder().remaining())).isLessThanOrEqualTo(Duration.ofSeconds(10));
	}

	@Test
	void resourceThatNobodyKnowsIsAnAnswerToo() {
		assertThat(resource("document:43")).isEqualTo(new ResourceReport("document:43", null, null, List.of(),
				new ResourceReport.Rejections("memory", List.of(), null), null));
	}

	@Test
	void worksWithoutRegistry() {
		fillInDocument42();
		ResourceReport report = (ResourceReport) this.fixture.endpoint(false).fencing("document:42", null, null);
		assertThat(report.holder()).isNotNull();
		assertThat(report.registered()).isNull();
		assertThat(report.error()).isNull();
	}

	@Test
	void failingProviderHidesNothingThatTheOthersKnow() {
		fillInDocument42();
		this.fixture.reject("document:42", OperatorFixture.TOKEN, null);
		this.fixture.providerFailure = new LeaseProviderException("Redis is away");
		ResourceReport report = resource("document:42");
		assertThat(report.holder()).isNull();
		assertThat(report.registered()).isNotNull();
		assertThat(report.rejections().recent()).hasSize(1);
		assertThat(report.error()).isEqualTo("The lease provider failed: Redis is away");
	}

	@Test
	void failingDatabaseHidesNothingThatTheOthersKnow() {
		fillInDocument42();
		this.fixture.registryFailure = new DataAccessResourceFailureException("Database is away");
		ResourceReport report = resource("document:42");
		assertThat(report.holder()).isNotNull();
		assertThat(report.registered()).isNull();
		assertThat(report.error()).isEqualTo("The generation registry failed: Database is away");
	}

	@Test
	void bothFailuresAreTold() {
		this.fixture.providerFailure = new LeaseProviderException("Redis is away");
		this.fixture.registryFailure = new DataAccessResourceFailureException("Database is away");
		assertThat(resource("document:42").error())
			.isEqualTo("The lease provider failed: Redis is away; The generation registry failed: Database is away");
	}

	@Test
	void whatIsAnsweredCanBeWrittenByANativeImage() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, FencingEndpoint.class);
		for (Class<?> type : new Class<?>[] { FencingReport.class, FencingReport.Held.class, FencingReport.Totals.class,
				FencingReport.RejectionCount.class, Waiting.class, FencingReport.Rejections.class,
				FencingReport.Durability.class, TerminationReport.class, Refusal.class, DurabilityFinding.class,
				ResourceReport.class, ResourceReport.Holder.class, ResourceReport.Registered.class,
				ResourceReport.Rejections.class, RejectionReport.class }) {
			assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type))).as(type.getName())
				.accepts(hints);
		}
	}

	private void fillInDocument42() {
		this.fixture.state = new LeaseState(new Lease("document:42", "b2", OperatorFixture.GENERATION + 1),
				Duration.ofMillis(12_500));
		this.fixture.registered = new RegisteredGeneration((OperatorFixture.GENERATION + 1) * 1_000_000, "b2",
				Instant.parse("2026-01-31T12:00:00Z"));
	}

	private FencingReport report() {
		return (FencingReport) this.endpoint.fencing(null, null, null);
	}

	private ResourceReport resource(String resource) {
		return (ResourceReport) this.endpoint.fencing(resource, null, null);
	}

}
