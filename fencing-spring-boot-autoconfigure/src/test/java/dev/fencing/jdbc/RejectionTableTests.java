package dev.fencing.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.rejection.RejectionEntry;
import dev.fencing.rejection.RejectionPage;
import dev.fencing.testsupport.CapturedLog;
import dev.fencing.testsupport.SomeRejections;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is stored comes back as it was, in pages, whoever stored it and wherever.
 */
@ParameterizedClass
@EnumSource
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RejectionTableTests {

	private static final Instant TIME = Instant.parse("2026-03-29T01:30:00.123456Z");

	@Parameter
	private TestDatabase database;

	private String url;

	private HikariDataSource pool;

	private RejectionRows rows;

	@BeforeEach
	void open() {
		this.url = this.database.createDatabase();
		this.pool = this.database.pool(this.url, 4);
		this.rows = RejectionRows.create(this.database, this.pool);
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void everythingComesBack() {
		List<Rejection> stored = new ArrayList<>();
		for (Guard guard : Guard.values()) {
			for (Reason reason : Reason.values()) {
				stored.add(new Rejection(TIME.plusNanos(stored.size() * 1_000L), "document",
						"document:" + stored.size(), Long.MAX_VALUE - stored.size(),
						(stored.size() % 2 == 0) ? null : Long.valueOf(stored.size()), guard, reason,
						"owner-" + stored.size(), "größe/日本 😀"));
			}
		}
		this.rows.store(stored.toArray(Rejection[]::new));
		List<Rejection> found = new ArrayList<>(this.rows.all(null));
		assertThat(found).hasSameSizeAs(stored);
		for (int i = 0; i < stored.size(); i++) {
			assertThat(found.get(i)).isEqualTo(stored.get(stored.size() - 1 - i));
		}
	}

	@Test
	void singleOneComesBack() {
		Rejection rejection = SomeRejections.of("document:1", TIME);
		this.rows.store(rejection);
		assertThat(this.rows.all("document:1")).containsExactly(rejection);
	}

	@Test
	void timeIsCutToMicrosecondsAndNeverRoundedUp() {
		this.rows.store(SomeRejections.of("document:1", Instant.parse("2026-12-31T23:59:59.999999999Z")));
		assertThat(this.rows.all(null)).singleElement()
			.extracting(Rejection::at)
			.isEqualTo(Instant.parse("2026-12-31T23:59:59.999999Z"));
	}

	@Test
	void timeIsTheSameInstantInEveryZone() {
		TimeZone usual = TimeZone.getDefault();
		// Some of them are skipped, or come twice, in one of the zones
		List<Instant> times = List.of(TIME, Instant.parse("2026-10-25T00:30:00Z"),
				Instant.parse("2026-10-25T01:30:00Z"), Instant.parse("2026-03-08T10:15:00.000001Z"));
		try {
			TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
			store(inZone("America/Los_Angeles", "-08:00"), times);
			TimeZone.setDefault(TimeZone.getTimeZone("America/Los_Angeles"));
			store(inZone("Asia/Kolkata", "+05:30"), times);
			TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
			try (HikariDataSource other = inZone("Europe/Berlin", "+01:00")) {
				assertThat(RejectionRows.in(this.database, other).all(null)).extracting(Rejection::at)
					.containsExactlyInAnyOrderElementsOf(Stream.concat(times.stream(), times.stream()).toList());
			}
		}
		finally {
			TimeZone.setDefault(usual);
		}
	}

	private void store(HikariDataSource dataSource, List<Instant> times) {
		try (dataSource) {
			RejectionRows rows = RejectionRows.in(this.database, dataSource);
			String zone = TimeZone.getDefault().getID();
			rows.sink()
				.write(times.stream()
					.map((time) -> new RejectionEntry(zone + time, SomeRejections.of("document:1", time)))
					.toList());
		}
	}

	private HikariDataSource inZone(String name, String offset) {
		HikariDataSource other = this.database.pool(this.url, 1);
		other.setConnectionInitSql(switch (this.database) {
			case POSTGRESQL -> "set time zone '" + name + "'";
			case H2 -> "set time zone '" + name + "'";
			case MARIADB -> "set time_zone = '" + offset + "'";
		});
		return other;
	}

	@Test
	void strangeTextLosesNoRejection() {
		String half = "\uD83D";
		List<String> texts = List.of("\u0000", "document:a\u0000b", half, "document:" + half + "x", "\uDE00" + half, "",
				" ", "document:\r\n\t\u0085\u2028", "document:'; drop table x --", "x".repeat(5_000),
				"😀".repeat(3_000), "document:" + "日".repeat(1_000), "x" + "😀".repeat(500), "\u0000".repeat(600));
		for (String text : texts) {
			Rejection strange = new Rejection(TIME, text, text, 1, null, Guard.ROW, Reason.STALE, text, text);
			this.rows.store(strange);
			assertThat(this.rows.all(text)).as(text).hasSize(1);
		}
		assertThat(this.rows.all(null)).hasSameSizeAs(texts);
	}

	@Test
	void textsThatAreTooLongStayDifferent() {
		String beginning = "document:" + "x".repeat(500);
		this.rows.store(SomeRejections.of(beginning + "1"), SomeRejections.of(beginning + "2"),
				SomeRejections.of(beginning + "2"));
		assertThat(this.rows.all(beginning + "1")).hasSize(1);
		assertThat(this.rows.all(beginning + "2")).hasSize(2);
		assertThat(this.rows.all(beginning)).isEmpty();
	}

	@Test
	void longestResourceStaysAsItIs() {
		for (String character : List.of("a", "ü", "漢", "😀")) {
			Rejection rejection = SomeRejections.of(character.repeat(400 / character.length()));
			this.rows.store(rejection);
			assertThat(this.rows.all(rejection.resource())).containsExactly(rejection);
		}
	}

	@Test
	void resourcesThatLookAlikeAreListedApart() {
		List<String> resources = List.of("document:a", "document:A", "document:a ", "document:á", "document:ａ");
		this.rows.store(resources.stream().map(SomeRejections::of).toArray(Rejection[]::new));
		assertThat(resources)
			.allSatisfy((resource) -> assertThat(this.rows.all(resource)).extracting(Rejection::resource)
				.containsExactly(resource));
	}

	@Test
	void sameRejectionIsStoredOnceHoweverOftenItComes() {
		RejectionEntry first = new RejectionEntry("a-1", SomeRejections.of("document:1"));
		RejectionEntry second = new RejectionEntry("a-2", SomeRejections.of("document:2"));
		this.rows.sink().write(List.of(first));
		this.rows.sink().write(List.of(first));
		this.rows.sink().write(List.of(second));
		assertThat(this.rows.resources()).containsExactly("document:1", "document:2");
	}

	@Test
	void pagesOfTwoInstancesHaveEachRejectionOnceWhileRowsComeIn() throws Exception {
		RejectionRows other = RejectionRows.in(this.database, this.pool);
		storeAlternately(other, 0, 60);
		List<String> expected = new ArrayList<>(
				IntStream.range(0, 60).mapToObj((number) -> "document:" + number).toList());
		Collections.reverse(expected);
		List<String> listed = new ArrayList<>();
		List<String> instances = new ArrayList<>();
		RejectionPage page = this.rows.history().page(null, null, 7);
		int next = 60;
		while (true) {
			page.rejections().forEach((rejection) -> {
				listed.add(rejection.resource());
				instances.add(rejection.instance());
			});
			if (page.next() == null) {
				break;
			}
			// By both instances, at the same time
			int number = next;
			CompletableFuture<Void> own = CompletableFuture.runAsync(() -> storeAs(this.rows, "host-1", number));
			CompletableFuture<Void> others = CompletableFuture.runAsync(() -> storeAs(other, "host-2", number + 1));
			page = this.rows.history().page(null, page.next(), 7);
			CompletableFuture.allOf(own, others).get();
			next += 2;
		}
		assertThat(listed).isEqualTo(expected);
		assertThat(instances).contains("host-1", "host-2");
		assertThat(next).isGreaterThan(70);
		assertThat(this.rows.all(null)).hasSize(next);
	}

	private void storeAlternately(RejectionRows other, int first, int end) {
		for (int number = first; number < end; number++) {
			storeAs((number % 2 == 0) ? this.rows : other, (number % 2 == 0) ? "host-1" : "host-2", number);
		}
	}

	private static void storeAs(RejectionRows rows, String instance, int number) {
		rows.sink()
			.write(List.of(new RejectionEntry(instance + "-" + number,
					SomeRejections.of("document:" + number, TIME, instance))));
	}

	@Test
	void pageOfAResourceHasNoOther() {
		this.rows.store(IntStream.range(0, 30)
			.mapToObj((number) -> SomeRejections.of("document:" + number % 3, TIME.plusSeconds(number)))
			.toArray(Rejection[]::new));
		RejectionPage first = this.rows.history().page("document:1", null, 6);
		RejectionPage second = this.rows.history().page("document:1", first.next(), 6);
		assertThat(first.rejections()).hasSize(6);
		assertThat(second.rejections()).hasSize(4);
		assertThat(second.next()).isNull();
		assertThat(Stream.concat(first.rejections().stream(), second.rejections().stream())).extracting(Rejection::at)
			.containsExactlyElementsOf(
					IntStream.range(0, 10).mapToObj((number) -> TIME.plusSeconds(28 - 3L * number)).toList());
	}

	@Test
	void pageThatEndsWithTheLastOneHasNoNext() {
		this.rows.store(SomeRejections.of("document:1"), SomeRejections.of("document:2"));
		assertThat(this.rows.history().page(null, null, 2).next()).isNull();
		assertThat(this.rows.history().page(null, null, 1).next()).isNotNull();
		assertThat(this.rows.history().page("document:3", null, 1)).isEqualTo(new RejectionPage(List.of(), null));
	}

	@Test
	void hugePageIsCutAndGoesOn() {
		Rejection[] many = new Rejection[1_001];
		Arrays.setAll(many, (number) -> SomeRejections.of("document:" + number));
		this.rows.store(many);
		RejectionPage first = this.rows.history().page(null, null, Integer.MAX_VALUE);
		assertThat(first.rejections()).hasSize(1_000);
		assertThat(this.rows.history().page(null, first.next(), Integer.MAX_VALUE).rejections())
			.containsExactly(many[0]);
	}

	@Test
	void rowOfALaterVersionIsLeftOutOfItsPage() {
		this.rows.store(IntStream.rangeClosed(1, 6)
			.mapToObj((number) -> SomeRejections.of("document:" + number))
			.toArray(Rejection[]::new));
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		jdbc.update("update FENCING_REJECTION set guard_name = 'later' where resource_id = 'document:5'");
		jdbc.update("update FENCING_REJECTION set reason = 'later' where resource_id in ('document:3', 'document:4')");
		List<List<String>> pages = new ArrayList<>();
		try (CapturedLog log = CapturedLog.of(JdbcRejectionHistory.class)) {
			RejectionPage page = this.rows.history().page(null, null, 2);
			pages.add(page.rejections().stream().map(Rejection::resource).toList());
			while (page.next() != null) {
				page = this.rows.history().page(null, page.next(), 2);
				pages.add(page.rejections().stream().map(Rejection::resource).toList());
			}
			assertThat(log.lines()).singleElement().asString().startsWith("WARN Rejections of a later version");
		}
		assertThat(pages).containsExactly(List.of("document:6"), List.of(), List.of("document:2", "document:1"));
	}

	@Test
	void oldOnesAreDeletedAndNoOthers() {
		Instant limit = Instant.now().truncatedTo(ChronoUnit.MICROS);
		this.rows.store(SomeRejections.of("old:1", limit.minus(1, ChronoUnit.MICROS)),
				SomeRejections.of("kept:1", limit), SomeRejections.of("old:2", limit.minusSeconds(100_000)),
				SomeRejections.of("kept:2", limit.plusSeconds(1)), SomeRejections.of("old:3", limit.minusSeconds(1)));
		assertThat(this.rows.sink().deleteBefore(limit, 2)).isEqualTo(2);
		// The oldest first
		assertThat(this.rows.resources()).containsExactly("old:1", "kept:1", "kept:2");
		assertThat(this.rows.sink().deleteBefore(limit, 2)).isEqualTo(1);
		assertThat(this.rows.sink().deleteBefore(limit, 2)).isZero();
		assertThat(this.rows.resources()).containsExactly("kept:1", "kept:2");
	}

	@Test
	void nothingOfItHasAPartInATransactionOfTheThread() {
		try (HikariDataSource uncommitted = new HikariDataSource()) {
			uncommitted.setJdbcUrl(this.url);
			uncommitted.setUsername(this.pool.getUsername());
			uncommitted.setPassword(this.pool.getPassword());
			uncommitted.setAutoCommit(false);
			TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(uncommitted));
			transaction.executeWithoutResult((status) -> {
				RejectionRows.in(this.database, uncommitted).store(SomeRejections.of("document:1"));
				status.setRollbackOnly();
			});
		}
		assertThat(count()).isOne();
	}

	@Test
	void verifyChangesNothing() {
		this.rows.store(SomeRejections.of("document:1"));
		this.rows.table().verify(true);
		assertThat(count()).isOne();
	}

	private @Nullable Integer count() {
		try (HikariDataSource other = this.database.pool(this.url, 1)) {
			return new JdbcTemplate(other).queryForObject("select count(*) from FENCING_REJECTION", Integer.class);
		}
	}

}
