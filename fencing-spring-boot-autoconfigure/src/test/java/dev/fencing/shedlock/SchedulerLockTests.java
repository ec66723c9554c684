package dev.fencing.shedlock;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.LockInsideTransactionException;
import dev.fencing.StaleGenerationException;
import dev.fencing.autoconfigure.FencingAutoConfiguration;
import dev.fencing.autoconfigure.FencingJdbcAutoConfiguration;
import dev.fencing.autoconfigure.FencingRedisAutoConfiguration;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Jobs of applications that have ShedLock and one bean of ours, on a real Redis and a
 * real PostgreSQL.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SchedulerLockTests {

	private static RedisTestServer redis;

	private static String url;

	private static ConfigurableApplicationContext first;

	private static JdbcTemplate jdbc;

	private static Jobs jobs;

	@BeforeAll
	static void start() {
		redis = RedisTestServer.started();
		url = PostgresTestServer.createDatabase();
		first = start(Application.class);
		jdbc = first.getBean(JdbcTemplate.class);
		jobs = first.getBean(Jobs.class);
		jdbc.execute("create table report (title varchar(40))");
		// Connections are opened in a time of their own
		jobs.warmUp();
	}

	@AfterAll
	static void stop() {
		first.close();
		redis.close();
	}

	@BeforeEach
	void reset() {
		jdbc.update("delete from report");
		jdbc.update("insert into report values ('old')");
	}

	@Test
	void jobOfAnotherInstanceIsSkippedMeanwhile() {
		try (ConfigurableApplicationContext second = start(Application.class)) {
			AtomicInteger runs = new AtomicInteger();
			jobs.report("first", () -> {
				// ShedLock itself lets a job of the same name run inside, on its thread
				CompletableFuture.runAsync(() -> second.getBean(Jobs.class).report("second", runs::incrementAndGet))
					.join();
				assertThat(runs).hasValue(0);
			});
			assertThat(title()).isEqualTo("first");
			second.getBean(Jobs.class).report("second", runs::incrementAndGet);
			assertThat(runs).hasValue(1);
			assertThat(title()).isEqualTo("second");
		}
	}

	@Test
	void jobIsNotRunByAnotherInstanceBeforeLockAtLeastForIsOver() {
		try (ConfigurableApplicationContext second = start(Application.class)) {
			AtomicInteger runs = new AtomicInteger();
			jobs.once(runs::incrementAndGet);
			second.getBean(Jobs.class).once(runs::incrementAndGet);
			jobs.once(runs::incrementAndGet);
			assertThat(runs).hasValue(1);
		}
	}

	@Test
	void jobThatTakesLongerThanLockAtMostForDoesNotCommitAfterItsSuccessor() throws Exception {
		try (ConfigurableApplicationContext second = start(Application.class)) {
			CountDownLatch running = new CountDownLatch(1);
			CountDownLatch resumed = new CountDownLatch(1);
			CompletableFuture<Void> paused = CompletableFuture
				.runAsync(() -> jobs.briefly("first", () -> pause(running, resumed)));
			running.await();
			await().until(() -> {
				second.getBean(Jobs.class).briefly("second", () -> {
				});
				return title().equals("second");
			});
			resumed.countDown();
			assertThat(paused).failsWithin(60, TimeUnit.SECONDS)
				.withThrowableThat()
				.withCauseInstanceOf(StaleGenerationException.class);
			assertThat(title()).isEqualTo("second");
		}
	}

	@Test
	void transactionAroundTheLockIsRefused() {
		try (ConfigurableApplicationContext wrong = start(TransactionOutside.class)) {
			AtomicInteger runs = new AtomicInteger();
			assertThatExceptionOfType(LockInsideTransactionException.class)
				.isThrownBy(() -> wrong.getBean(Jobs.class).report("wrong", runs::incrementAndGet));
			assertThat(runs).hasValue(0);
			assertThat(title()).isEqualTo("old");
		}
	}

	@Test
	void schedulerRunsJobsUnderALease() throws Exception {
		try (ConfigurableApplicationContext scheduling = start(Scheduling.class)) {
			assertThat(scheduling.getBean(Ticks.class).next()).isEqualTo("shedlock:tick");
		}
	}

	private static String title() {
		return jdbc.queryForObject("select title from report", String.class);
	}

	private static ConfigurableApplicationContext start(Class<?> application) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + redis.port(),
					"--spring.datasource.url=" + url, "--spring.datasource.username=postgres",
					"--spring.datasource.password=postgres", "--spring.datasource.hikari.maximum-pool-size=5",
					"--fencing.jdbc.initialize-schema=always");
	}

	private static void pause(CountDownLatch running, CountDownLatch resumed) {
		running.countDown();
		try {
			resumed.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static class Jobs {

		private final JdbcTemplate jdbc;

		Jobs(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@SchedulerLock(name = "warm-up")
		@Transactional
		public void warmUp() {
		}

		@SchedulerLock(name = "nightly report")
		@Transactional
		public void report(String title, Runnable before) {
			before.run();
			this.jdbc.update("update report set title = ?", title);
		}

		@SchedulerLock(name = "brief report", lockAtMostFor = "1s")
		@Transactional
		public void briefly(String title, Runnable before) {
			before.run();
			this.jdbc.update("update report set title = ?", title);
		}

		@SchedulerLock(name = "once", lockAtLeastFor = "1m")
		public void once(Runnable work) {
			work.run();
		}

	}

	static class Ticks {

		private final BlockingQueue<String> resources = new LinkedBlockingQueue<>();

		@Scheduled(fixedDelay = 20)
		@SchedulerLock(name = "tick")
		@Transactional
		public void tick() {
			this.resources.add(FencingContext.require().resource());
		}

		public String next() throws InterruptedException {
			return this.resources.take();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			TransactionManagerCustomizationAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			DataRedisAutoConfiguration.class, FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class,
			FencingRedisAutoConfiguration.class })
	@Import(Jobs.class)
	static class Base {

		@Bean
		LockProvider lockProvider(FencedLockTemplate locks) {
			return new FencedLockProvider(locks);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableSchedulerLock(defaultLockAtMostFor = "5m", order = Ordered.LOWEST_PRECEDENCE - 100)
	static class Application extends Base {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = Ordered.LOWEST_PRECEDENCE - 200)
	static class TransactionOutside extends Application {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration(TaskSchedulingAutoConfiguration.class)
	static class Scheduling extends Application {

		@Bean
		Ticks ticks() {
			return new Ticks();
		}

	}

}
