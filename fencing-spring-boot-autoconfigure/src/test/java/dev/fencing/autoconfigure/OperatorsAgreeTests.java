package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.StaleGenerationException;
import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.actuate.FencingReport;
import dev.fencing.event.GenerationRejected;
import dev.fencing.event.IssuerRegressed;
import dev.fencing.event.LeaseAcquired;
import dev.fencing.event.LeaseLost;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.rejection.RejectionLogger;
import dev.fencing.testsupport.CapturedLog;
import dev.fencing.testsupport.DelegatingLeaseProvider;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * After hundreds of races of every kind, meters, endpoint, events, table and log tell the
 * same of each lock, guard and reason.
 */
@Timeout(180)
class OperatorsAgreeTests {

	private static final int RACES = 500;

	private static final List<String> LOCKS = List.of("document", "account", "invoice");

	private static final Pattern LOG_LINE = Pattern
		.compile("resource '([a-z]+):\\d+'.*guard ([a-z]+), reason ([a-z]+)$");

	private static final RedisTestServer redis = RedisTestServer.started();

	private static ConfigurableApplicationContext context;

	private final JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);

	private final FencedJdbcTemplate fencedJdbc = context.getBean(FencedJdbcTemplate.class);

	private final FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);

	private final TransactionTemplate transaction = context.getBean(TransactionTemplate.class);

	private final List<Kind> kinds = new ArrayList<>();

	private final AtomicLong mark = new AtomicLong(System.currentTimeMillis());

	@BeforeAll
	static void start() {
		context = Startup.start(Operated.class, "--spring.datasource.url=" + PostgresTestServer.createDatabase(),
				"--spring.datasource.username=postgres", "--spring.data.redis.host=127.0.0.1",
				"--spring.data.redis.port=" + redis.port(), "--fencing.jdbc.initialize-schema=always",
				"--fencing.redis.durability-check=off", "--fencing.rejections.store=jdbc",
				"--fencing.lock.renew-interval=100ms", "--management.endpoints.web.exposure.include=fencing");
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@Test
	void tellTheSameOfEachLockGuardAndReason() throws Exception {
		this.jdbc.execute("create table document (id int primary key, title varchar(50), "
				+ "fencing_token bigint not null default 0)");
		CapturedLog log = CapturedLog.of(RejectionLogger.class);
		Map<String, Long> expected = race();
		log.close();
		assertThat(expected).as("every kind of rejection, for every lock").hasSize(LOCKS.size() * Kind.rejected());
		assertThat(metered()).isEqualTo(expected);
		assertThat(totals()).isEqualTo(expected);
		assertThat(published()).isEqualTo(expected);
		assertThat(logged(log.lines())).isEqualTo(expected);
		await().untilAsserted(() -> assertThat(stored()).isEqualTo(expected));
		assertThat(listed()).isEqualTo(expected);
		assertThat(report(null).rejections().total()).isEqualTo(sum(expected, ""));
		assertThat(report(null).rejections().dropped()).isZero();
		assertThat(context.getBean(MeterRegistry.class).get("fence.rejections.dropped").functionCounter().count())
			.isZero();
		assertThat(regressions()).isEqualTo(Map.of("meters", sum(expected, "regressed"), "endpoint",
				sum(expected, "regressed"), "events", sum(expected, "regressed")));
		long acquired = RACES - sum(expected, "registration/stale");
		assertThat(acquired()).isEqualTo(Map.of("meters", acquired, "endpoint", acquired, "events", acquired));
		for (Kind kind : List.of(Kind.SKIPPED, Kind.UNAVAILABLE)) {
			long number = count(kind);
			assertThat(ended(kind)).as("calls that ended as " + kind).isEqualTo(List.of(number, number));
		}
		// Also those that were taken away before their registration may be noticed
		await().untilAsserted(() -> assertThat(ended(Kind.LOST)).as("leases that were lost")
			.containsOnly(told(LeaseLost.class))
			.allMatch((number) -> number >= count(Kind.LOST)));
	}

	private long count(Kind kind) {
		return this.kinds.stream().filter(kind::equals).count();
	}

	private static long sum(Map<String, Long> counts, String ending) {
		return counts.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().endsWith(ending))
			.mapToLong(Map.Entry::getValue)
			.sum();
	}

	/**
	 * Run the races, several at a time.
	 * @return how many rejections of each kind there must have been
	 */
	private Map<String, Long> race() throws Exception {
		for (int race = 0; race < RACES; race++) {
			this.kinds.add(Kind.values()[race % Kind.values().length]);
		}
		Collections.shuffle(this.kinds, new Random(42));
		Map<String, Long> expected = new TreeMap<>();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		List<Future<?>> races = new ArrayList<>();
		for (int race = 0; race < RACES; race++) {
			Kind kind = this.kinds.get(race);
			int id = race;
			String lock = LOCKS.get(race % LOCKS.size());
			if (kind.guard != null && kind.reason != null) {
				expected.merge(kind(lock, kind.guard.tag(), kind.reason.tag()), 1L, Long::sum);
			}
			races.add(threads.submit(() -> race(kind, lock, id)));
		}
		for (Future<?> race : races) {
			race.get();
		}
		threads.shutdown();
		assertThat(threads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		return expected;
	}

	private void race(Kind kind, String lock, int id) {
		String resource = lock + ":" + id;
		this.jdbc.update("insert into document (id, title) values (?, 'draft')", id);
		if (kind == Kind.REGISTRATION_STALE) {
			Overtaken.resources.add(resource);
		}
		Runnable race = () -> this.locks.executeWithoutResult(LockRequest.of(lock).key(id),
				(owner) -> work(kind, resource, id, owner));
		Throwable failure = (kind == Kind.REGISTRATION_REGRESSED) ? catchThrowable(() -> race(resource, race))
				: catchThrowable(race::run);
		if (kind.guard == null || kind == Kind.REGISTRATION_REGRESSED) {
			assertThat(failure).isNull();
		}
		else {
			assertThat(failure).isInstanceOfSatisfying(StaleGenerationException.class, (ex) -> {
				assertThat(ex.getGuard()).isEqualTo(kind.guard);
				assertThat(ex.getReason()).isEqualTo(kind.reason);
			});
		}
	}

	// One at a time: each raises the counter above all marks that were set before
	private void race(String resource, Runnable race) {
		synchronized (this.mark) {
			register(resource, FencingTokens.of(this.mark.addAndGet(1_000_000), 0));
			race.run();
		}
	}

	private void work(Kind kind, String resource, int id, FencingContext owner) {
		long later = FencingTokens.of(owner.generation() + 1, 0);
		Consumer<Runnable> inTransaction = (writes) -> this.transaction.executeWithoutResult((status) -> writes.run());
		switch (kind) {
			case TRANSACTION_STALE -> inTransaction.accept(() -> {
				this.jdbc.update("update document set title = 'plain' where id = ?", id);
				elsewhere(() -> register(resource, later));
			});
			case TRANSACTION_FOREIGN -> inTransaction.accept(() -> {
				this.jdbc.update("update document set title = 'plain' where id = ?", id);
				elsewhere(() -> this.jdbc.update("delete from fencing_generation where resource_id = ?", resource));
			});
			case ROW_STALE -> {
				register(resource, later);
				this.jdbc.update("update document set fencing_token = ? where id = ?", later + 1, id);
				this.fencedJdbc.update("update document set title = 'fenced' where id = ?", id);
			}
			case ROW_FOREIGN -> {
				this.jdbc.update("update document set fencing_token = ? where id = ?", later + 1, id);
				this.fencedJdbc.update("update document set title = 'fenced' where id = ?", id);
			}
			case LEASE_STALE -> {
				register(resource, later);
				owner.assertCurrent();
			}
			case LEASE_FOREIGN -> {
				this.jdbc.update("delete from fencing_generation where resource_id = ?", resource);
				owner.assertCurrent();
			}
			case SKIPPED ->
				elsewhere(() -> assertThat(this.locks.tryExecute(request(resource), (other) -> "ran")).isEmpty());
			case UNAVAILABLE -> elsewhere(() -> assertThat(
					catchThrowable(() -> this.locks.executeWithoutResult(request(resource), (other) -> {
					})))
				.isInstanceOf(LeaseUnavailableException.class));
			case LOST -> {
				LeaseProvider provider = context.getBean(LeaseProvider.class);
				provider.release(provider.find(resource).lease());
				await().until(owner::isLost);
			}
			default -> this.fencedJdbc.update("update document set title = 'fenced' where id = ?", id);
		}
	}

	private void register(String resource, long token) {
		this.jdbc.update("""
				insert into fencing_generation (resource_id, fencing_token, owner, registered_at)
				values (?, ?, 'another', now())
				on conflict (resource_id) do update set fencing_token = excluded.fencing_token, owner = 'another'""",
				resource, token);
	}

	// On a connection of its own, which commits at once
	private static void elsewhere(Runnable work) {
		CompletableFuture.runAsync(work).join();
	}

	private static LockRequest request(String resource) {
		String[] parts = resource.split(":");
		return LockRequest.of(parts[0]).key(parts[1]).waitTime(Duration.ZERO);
	}

	private Map<String, Long> metered() {
		Map<String, Long> counts = new TreeMap<>();
		context.getBean(MeterRegistry.class).find("fence.rejected").counters().forEach((counter) -> {
			if (counter.count() > 0) {
				counts.put(kind(counter.getId().getTag("lock"), counter.getId().getTag("guard"),
						counter.getId().getTag("reason")), Math.round(counter.count()));
			}
		});
		return counts;
	}

	private Map<String, Long> totals() {
		Map<String, Long> counts = new TreeMap<>();
		report(null).locks()
			.forEach((lock) -> lock.rejected()
				.forEach((each) -> counts.put(kind(lock.lock(), each.guard(), each.reason()), each.count())));
		return counts;
	}

	private Map<String, Long> listed() {
		List<String> kinds = new ArrayList<>();
		FencingReport.Rejections page = report(null).rejections();
		assertThat(page.store()).isEqualTo("jdbc");
		while (true) {
			page.recent().forEach((each) -> kinds.add(kind(each.lock(), each.guard(), each.reason())));
			if (page.next() == null) {
				return counted(kinds.stream());
			}
			page = report(Long.valueOf(page.next())).rejections();
		}
	}

	private Map<String, Long> published() {
		return counted(context.getBean(Told.class).events.stream()
			.filter(GenerationRejected.class::isInstance)
			.map((event) -> ((GenerationRejected) event).rejection())
			.map(OperatorsAgreeTests::kind));
	}

	private static Map<String, Long> logged(List<String> lines) {
		Predicate<String> rejections = (line) -> !line.contains("Lease lost");
		return counted(lines.stream().filter(rejections).map((line) -> {
			Matcher matcher = LOG_LINE.matcher(line);
			assertThat(matcher.find()).as(line).isTrue();
			return kind(matcher.group(1), matcher.group(2), matcher.group(3));
		}));
	}

	private Map<String, Long> stored() {
		return counted(this.jdbc
			.queryForList("select lock_name || '/' || guard_name || '/' || reason from fencing_rejection", String.class)
			.stream());
	}

	private static Map<String, Long> acquired() {
		return Map.of("meters",
				context.getBean(MeterRegistry.class)
					.find("fence.lease.acquire")
					.tag("outcome", "acquired")
					.timers()
					.stream()
					.mapToLong(Timer::count)
					.sum(),
				"endpoint", report(null).locks().stream().mapToLong(FencingReport.Totals::acquired).sum(), "events",
				told(LeaseAcquired.class));
	}

	private static Map<String, Long> regressions() {
		return Map.of("meters",
				(long) context.getBean(MeterRegistry.class)
					.find("fence.issuer.regressions")
					.counters()
					.stream()
					.mapToDouble(Counter::count)
					.sum(),
				"endpoint", report(null).locks().stream().mapToLong(FencingReport.Totals::issuerRegressions).sum(),
				"events", told(IssuerRegressed.class));
	}

	/**
	 * Return how often something happened: in the meters, and at the endpoint.
	 */
	private static List<Long> ended(Kind kind) {
		MeterRegistry meters = context.getBean(MeterRegistry.class);
		String outcome = kind.name().toLowerCase(Locale.ROOT);
		long metered = (kind == Kind.LOST)
				? (long) meters.find("fence.lease.lost").counters().stream().mapToDouble(Counter::count).sum()
				: meters.find("fence.lease.acquire")
					.tag("outcome", outcome)
					.timers()
					.stream()
					.mapToLong(Timer::count)
					.sum();
		long reported = report(null).locks().stream().mapToLong((lock) -> switch (kind) {
			case LOST -> lock.lost();
			case SKIPPED -> lock.skipped();
			default -> lock.unavailable();
		}).sum();
		return List.of(metered, reported);
	}

	private static long told(Class<?> type) {
		return context.getBean(Told.class).events.stream().filter(type::isInstance).count();
	}

	private static FencingReport report(Long before) {
		return (FencingReport) context.getBean(FencingEndpoint.class).fencing(null, before, null);
	}

	private static Map<String, Long> counted(Stream<String> kinds) {
		Map<String, Long> counts = new TreeMap<>();
		kinds.forEach((kind) -> counts.merge(kind, 1L, Long::sum));
		return counts;
	}

	private static String kind(Rejection rejection) {
		return kind(rejection.lock(), rejection.guard().tag(), rejection.reason().tag());
	}

	private static String kind(String lock, String guard, String reason) {
		return lock + "/" + guard + "/" + reason;
	}

	/**
	 * How a race ends.
	 */
	private enum Kind {

		ACCEPTED(null, null), SKIPPED(null, null), UNAVAILABLE(null, null), LOST(null, null),
		REGISTRATION_STALE(Guard.REGISTRATION, Reason.STALE),
		REGISTRATION_REGRESSED(Guard.REGISTRATION, Reason.REGRESSED),
		TRANSACTION_STALE(Guard.TRANSACTION, Reason.STALE), TRANSACTION_FOREIGN(Guard.TRANSACTION, Reason.FOREIGN),
		ROW_STALE(Guard.ROW, Reason.STALE), ROW_FOREIGN(Guard.ROW, Reason.FOREIGN),
		LEASE_STALE(Guard.LEASE, Reason.STALE), LEASE_FOREIGN(Guard.LEASE, Reason.FOREIGN);

		private final Guard guard;

		private final Reason reason;

		Kind(Guard guard, Reason reason) {
			this.guard = guard;
			this.reason = reason;
		}

		static int rejected() {
			return (int) Stream.of(values()).filter((kind) -> kind.guard != null).count();
		}

	}

	/**
	 * Gives leases that another owner has taken over before they are registered.
	 */
	private static final class Overtaken extends DelegatingLeaseProvider {

		private static final List<String> resources = new CopyOnWriteArrayList<>();

		private Overtaken(LeaseProvider delegate) {
			super(delegate);
		}

		@Override
		public LeaseAttempt acquire(LeaseRequest request) {
			LeaseAttempt attempt = super.acquire(request);
			if (attempt instanceof LeaseAttempt.Granted granted && resources.contains(request.resources().get(0))) {
				release(granted.lease());
				context.getBean(JdbcTemplate.class)
					.update("insert into fencing_generation (resource_id, fencing_token, owner, registered_at) "
							+ "values (?, ?, 'another', now())", request.resources().get(0),
							FencingTokens.of(granted.lease().generation() + 1, 0));
			}
			return attempt;
		}

	}

	static class Told {

		private final List<Object> events = new CopyOnWriteArrayList<>();

		@EventListener({ GenerationRejected.class, IssuerRegressed.class, LeaseAcquired.class, LeaseLost.class })
		void on(Object event) {
			this.events.add(event);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ FencingEndpointAutoConfiguration.class, FencingMetricsAutoConfiguration.class })
	static class Operated extends Startup.Application {

		@Bean
		static BeanPostProcessor overtaking() {
			return new BeanPostProcessor() {
				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return (bean instanceof LeaseProvider provider) ? new Overtaken(provider) : bean;
				}
			};
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Told told() {
			return new Told();
		}

	}

}
