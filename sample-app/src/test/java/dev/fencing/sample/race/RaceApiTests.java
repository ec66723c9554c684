package dev.fencing.sample.race;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.BodyContentSpec;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import dev.fencing.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for the races over HTTP: each comes out the same every time.
 */
@SampleTest
class RaceApiTests {

	private static final int TIMES = 5;

	private RestTestClient client;

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@ParameterizedTest(name = "fenced: {0}, pause: {1}")
	@MethodSource("races")
	void raceComesOutTheSameEveryTime(boolean fenced, String pause, String finalTitle, boolean lostUpdate, int rejected,
			List<String> events) {
		for (int i = 0; i < TIMES; i++) {
			RaceResult result = run(Map.of("fenced", fenced, "pause", pause));
			assertThat(result.fenced()).isEqualTo(fenced);
			assertThat(result.pause().text()).isEqualTo(pause);
			assertThat(result.events()).extracting((event) -> event.worker() + " " + event.event().text())
				.containsExactlyElementsOf(events);
			assertThat(result.events()).extracting(RaceEvent::at).isSorted();
			assertThat(result.finalTitle()).isEqualTo(finalTitle);
			assertThat(result.lostUpdate()).isEqualTo(lostUpdate);
			assertThat(result.rejected()).isEqualTo(rejected);
		}
	}

	static Stream<Arguments> races() {
		List<String> takeover = List.of("B requested", "A leaseExpired", "B acquired", "B read", "B wrote",
				"B committed", "B released", "A resumed");
		return Stream.of(
				arguments(false, "beforeRead", "draft +B +A", false, 0,
						concat(List.of("A acquired", "A paused"), takeover,
								List.of("A read", "A wrote", "A committed"))),
				arguments(false, "beforeWrite", "draft +A", true, 0,
						concat(List.of("A acquired", "A read", "A paused"), takeover,
								List.of("A wrote", "A committed"))),
				arguments(false, "beforeCommit", "draft +B", true, 0,
						List.of("A acquired", "A read", "A wrote", "A paused", "B requested", "A leaseExpired",
								"B acquired", "B read", "B waiting", "A resumed", "A committed", "B wrote",
								"B committed", "B released")),
				arguments(true, "beforeRead", "draft +B", false, 1,
						concat(List.of("A acquired", "A paused"), takeover, List.of("A read", "A rejected"))),
				arguments(true, "beforeWrite", "draft +B", false, 1,
						concat(List.of("A acquired", "A read", "A paused"), takeover, List.of("A rejected"))),
				arguments(true, "beforeCommit", "draft +B", false, 1,
						List.of("A acquired", "A read", "A wrote", "A paused", "B requested", "A leaseExpired",
								"B acquired", "B read", "B waiting", "A resumed", "A rejected", "B wrote",
								"B committed", "B released")));
	}

	@ParameterizedTest(name = "fenced: {0}, pause: {1}")
	@MethodSource("racesInTime")
	void ownerThatComesBackInTimeLosesNothing(boolean fenced, String pause, List<String> eventsOfA) {
		RaceResult result = run(Map.of("fenced", fenced, "pause", pause, "leaseTime", "2s", "pauseTime", "100ms"));
		assertThat(result.events()).extracting((event) -> event.worker() + " " + event.event().text())
			.containsExactlyElementsOf(concat(eventsOfA,
					List.of("A released", "B acquired", "B read", "B wrote", "B committed", "B released")));
		assertThat(result.finalTitle()).isEqualTo("draft +A +B");
		assertThat(result.lostUpdate()).isFalse();
		assertThat(result.rejected()).isZero();
		assertThat(result.summary()).contains("nothing is lost", "B waited");
		assertThat(pause(result)).isBetween(Duration.ofMillis(100), Duration.ofSeconds(2));
	}

	static Stream<Arguments> racesInTime() {
		return Stream.of(false, true)
			.flatMap((fenced) -> Stream.of(
					arguments(fenced, "beforeRead",
							List.of("A acquired", "A paused", "B requested", "A resumed", "A read", "A wrote",
									"A committed")),
					arguments(fenced, "beforeWrite",
							List.of("A acquired", "A read", "A paused", "B requested", "A resumed", "A wrote",
									"A committed")),
					arguments(fenced, "beforeCommit", List.of("A acquired", "A read", "A wrote", "A paused",
							"B requested", "A resumed", "A committed"))));
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void ownerPausesForAsLongAsItWasTold(boolean fenced) {
		RaceResult result = run(Map.of("fenced", fenced, "leaseTime", "PT0.3S", "pauseTime", "1s"));
		assertThat(result.leaseTime()).isEqualTo(Duration.ofMillis(300));
		assertThat(result.pauseTime()).isEqualTo(Duration.ofSeconds(1));
		assertThat(pause(result)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
		assertThat(between(event(result, "A", RaceEventType.ACQUIRED), event(result, "A", RaceEventType.LEASE_EXPIRED)))
			.isBetween(Duration.ofMillis(250), Duration.ofSeconds(1));
		assertThat(event(result, "B", RaceEventType.COMMITTED).at())
			.isBefore(event(result, "A", RaceEventType.RESUMED).at());
		assertThat(result.finalTitle()).isEqualTo(fenced ? "draft +B" : "draft +A");
	}

	@Test
	void pauseOfTheLengthOfTheLeaseOutlastsIt() {
		RaceResult result = run(Map.of("leaseTime", "300ms", "pauseTime", "300"));
		assertThat(result.rejected()).isOne();
	}

	@Test
	void commitsSayWhatIsInTheDatabase() {
		RaceResult lost = run(Map.of("fenced", false));
		assertThat(lost.initialTitle()).isEqualTo("draft");
		assertThat(event(lost, "B", RaceEventType.COMMITTED).title()).isEqualTo("draft +B");
		assertThat(event(lost, "A", RaceEventType.COMMITTED).title()).isEqualTo("draft +A");
		RaceResult waited = run(Map.of("fenced", false, "pause", "beforeCommit"));
		assertThat(event(waited, "A", RaceEventType.COMMITTED).title()).isEqualTo("draft +A");
		assertThat(event(waited, "B", RaceEventType.COMMITTED).title()).isEqualTo("draft +B");
	}

	@Test
	void verdictSaysWhoseUpdateIsLost() {
		assertThat(run(Map.of("fenced", false)).verdict()).isEqualTo("B's update is lost");
		assertThat(run(Map.of("fenced", false, "pause", "beforeCommit")).verdict()).isEqualTo("A's update is lost");
		assertThat(run(Map.of("fenced", false, "pause", "beforeRead")).verdict()).contains("by luck");
		assertThat(run(Map.of("fenced", true)).verdict()).isEqualTo("A was refused, nothing is lost");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			leaseTime | soon                 | write a time as 500ms, 2s or PT0.5S
			leaseTime | ''                   | write a time as 500ms, 2s or PT0.5S
			pauseTime | 2 fortnights         | write a time as 500ms, 2s or PT0.5S
			pauseTime | 99999999999999999999 | write a time as 500ms, 2s or PT0.5S
			leaseTime | 0s                   | write a time from 200ms to 10s
			leaseTime | -1s                  | write a time from 200ms to 10s
			leaseTime | PT1H                 | write a time from 200ms to 10s
			pauseTime | -1ms                 | write a time from 0s to 15s
			pauseTime | 15001ms              | write a time from 0s to 15s
			""")
	void unusableTimeIsRefusedWithWhatToWrite(String field, String value, String advice) {
		expectBadRequest(Map.of(field, value), "'%s' is not usable: %s".formatted(field, advice)).jsonPath("$.field")
			.isEqualTo(field);
	}

	@Test
	void pauseThatMayOrMayNotOutlastTheLeaseIsRefused() {
		expectBadRequest(Map.of("leaseTime", "1s", "pauseTime", "801ms"),
				"'pauseTime' is not usable: it is too close to the lease time of 1s: write at most 800ms, so that A "
						+ "can end in time, or at least 1s, so that it cannot");
		// Accepted; whether A is in time then, is up to the machine
		assertThat(run(Map.of("leaseTime", "1s", "pauseTime", "800ms")).pauseTime()).isEqualTo(Duration.ofMillis(800));
	}

	@Test
	void fencedRaceShowsTheTokensOfBothOwners() {
		RaceResult result = run(Map.of("fenced", true, "pause", "beforeCommit"));
		long acquiredByA = token(result, "A", RaceEventType.ACQUIRED);
		long writtenByA = token(result, "A", RaceEventType.WROTE);
		long acquiredByB = token(result, "B", RaceEventType.ACQUIRED);
		long writtenByB = token(result, "B", RaceEventType.WROTE);
		assertThat(List.of(acquiredByA, writtenByA, acquiredByB, writtenByB)).isSorted().doesNotHaveDuplicates();
		RaceEvent rejection = event(result, "A", RaceEventType.REJECTED);
		assertThat(token(result, "A", RaceEventType.REJECTED)).isBetween(acquiredByA, acquiredByB - 1);
		assertThat(Long.parseLong(String.valueOf(rejection.acceptedToken()))).isGreaterThanOrEqualTo(acquiredByB);
		assertThat(rejection.guard()).isEqualTo("transaction");
		assertThat(rejection.reason()).isEqualTo("stale");
	}

	@Test
	void unfencedRaceHasNoTokens() {
		RaceResult result = run(Map.of("fenced", false));
		assertThat(result.events()).extracting(RaceEvent::token).containsOnlyNulls();
	}

	@Test
	void raceIsFencedAndPausesBeforeTheWriteUnlessSaidOtherwise() {
		RaceResult byEmptyObject = run(Map.of());
		assertThat(byEmptyObject.fenced()).isTrue();
		assertThat(byEmptyObject.pause()).isEqualTo(PausePoint.BEFORE_WRITE);
		RaceResult byNoBody = result(this.client.post().uri("/api/races").exchange());
		assertThat(byNoBody.fenced()).isTrue();
		assertThat(byNoBody.pause()).isEqualTo(PausePoint.BEFORE_WRITE);
	}

	@Test
	void eachRaceHasADocumentOfItsOwn() {
		Map<String, ?> unfenced = Map.of("fenced", false);
		assertThat(run(unfenced).resource()).isNotEqualTo(run(unfenced).resource());
	}

	@Test
	void racesThatAreAskedForAtOnceRunOneAfterTheOther() {
		Supplier<RaceResult> race = () -> run(Map.of("fenced", false));
		CompletableFuture<RaceResult> one = CompletableFuture.supplyAsync(race);
		CompletableFuture<RaceResult> other = CompletableFuture.supplyAsync(race);
		List<RaceResult> results = Stream.of(one.join(), other.join())
			.sorted(Comparator.comparing(RaceApiTests::start))
			.toList();
		assertThat(start(results.get(1))).isAfter(end(results.get(0)));
	}

	@Test
	void timesAreIsoInstants() {
		post(Map.of("fenced", false)).expectBody()
			.jsonPath("$.events[0].at")
			.value(String.class, (at) -> assertThat(Instant.parse(at)).isBeforeOrEqualTo(Instant.now()));
	}

	@Test
	void unknownPauseIsRefusedWithThoseThatExist() {
		expectBadRequest(Map.of("pause", "afterCommit"), "The pause is none of beforeRead, beforeWrite, beforeCommit");
		expectBadRequest(Map.of("pause", ""), "The pause is none of beforeRead, beforeWrite, beforeCommit");
	}

	@Test
	void unusableValueIsRefused() {
		expectBadRequest(Map.of("fenced", "perhaps"), "'fenced' is unknown or has an unusable value");
		expectBadRequest(Map.of("pauze", "beforeRead"), "'pauze' is unknown or has an unusable value");
	}

	private BodyContentSpec expectBadRequest(Map<String, ?> body, String detail) {
		return post(body).expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo(detail);
	}

	private RaceResult run(Map<String, ?> body) {
		return result(post(body));
	}

	private ResponseSpec post(Map<String, ?> body) {
		return this.client.post().uri("/api/races").contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

	private static RaceResult result(ResponseSpec response) {
		RaceResult result = response.expectStatus()
			.isOk()
			.expectBody(RaceResult.class)
			.returnResult()
			.getResponseBody();
		assertThat(result).isNotNull();
		return result;
	}

	private static RaceEvent event(RaceResult result, String worker, RaceEventType type) {
		return result.events()
			.stream()
			.filter((event) -> event.worker().equals(worker) && event.event() == type)
			.findFirst()
			.orElseThrow();
	}

	private static long token(RaceResult result, String worker, RaceEventType type) {
		return Long.parseLong(String.valueOf(event(result, worker, type).token()));
	}

	private static Duration pause(RaceResult result) {
		return between(event(result, "A", RaceEventType.PAUSED), event(result, "A", RaceEventType.RESUMED));
	}

	private static Duration between(RaceEvent one, RaceEvent other) {
		return Duration.between(one.at(), other.at());
	}

	private static Instant start(RaceResult result) {
		return result.events().get(0).at();
	}

	private static Instant end(RaceResult result) {
		return result.events().get(result.events().size() - 1).at();
	}

	@SafeVarargs
	private static List<String> concat(List<String>... parts) {
		return Stream.of(parts).flatMap(List::stream).toList();
	}

}
