package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;

import static dev.fencing.autoconfigure.RunningBody.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that are interrupted: while they wait, while they ask, and while they own. None
 * loses its flag, and none leaves anything behind.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class InterruptionTests {

	private static final LockRequest REQUEST = LockRequest.of("document")
		.leaseTime(Duration.ofMinutes(5))
		.waitTime(Duration.ofMinutes(5));

	private static RedisTestServer redis;

	private static RedisClient client;

	private static RedisCommands<String, String> observer;

	private static ConfigurableApplicationContext context;

	private static JdbcTemplate jdbc;

	private final FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);

	private final Documents documents = context.getBean(Documents.class);

	@BeforeAll
	static void start() {
		redis = RedisTestServer.started();
		client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
		observer = client.connect().sync();
		context = Startup.start(Application.class, "--spring.data.redis.host=127.0.0.1",
				"--spring.data.redis.port=" + redis.port(),
				"--spring.datasource.url=" + PostgresTestServer.createDatabase(),
				"--spring.datasource.username=postgres", "--spring.datasource.password=postgres",
				"--fencing.jdbc.initialize-schema=always");
		jdbc = context.getBean(JdbcTemplate.class);
		jdbc.execute("create table document (title varchar(40))");
		jdbc.execute("insert into document values ('old')");
		context.getBean(FencedLockTemplate.class).executeWithoutResult(REQUEST, (lease) -> {
		});
	}

	@AfterAll
	static void stop() {
		context.close();
		client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		redis.close();
	}

	@AfterEach
	void nothingIsLeftBehind() {
		eventually()
			.untilAsserted(() -> assertThat(ScanIterator.scan(observer).stream()).containsExactly("{fencing}:counter"));
		assertThat(context.getBean(HeldLeases.class).calls()).isZero();
		assertThat(context.getBean(HeldLeases.class).snapshot()).isEmpty();
		jdbc.update("update document set title = 'old'");
		// Who comes next is not kept waiting
		this.locks.executeWithoutResult(REQUEST.waitTime(Duration.ofSeconds(10)), (lease) -> {
		});
	}

	@Test
	void waiterTakesNothing() throws Exception {
		RunningBody owner = RunningBody.start(context, "document");
		AtomicBoolean ran = new AtomicBoolean();
		Interrupted waiter = Interrupted.run(() -> this.locks.executeWithoutResult(REQUEST, (lease) -> ran.set(true)));
		eventually().until(waiter::isWaiting);
		waiter.interrupt();
		assertThat(waiter.failure()).isInstanceOf(LeaseUnavailableException.class)
			.hasCauseInstanceOf(InterruptedException.class);
		assertThat(waiter.isStillInterrupted()).isTrue();
		assertThat(owner.isRunning()).isTrue();
		owner.end();
		assertThat(owner.result()).isEqualTo("done by document");
		assertThat(ran).isFalse();
	}

	@Test
	void requestThatIsUnderWayIsUndone() throws Exception {
		observer.clientPause(2000);
		AtomicBoolean ran = new AtomicBoolean();
		Interrupted asking = Interrupted.run(() -> this.locks.executeWithoutResult(REQUEST, (lease) -> ran.set(true)));
		eventually().until(asking::isWaiting);
		asking.interrupt();
		assertThat(asking.failure()).isInstanceOf(LeaseUnavailableException.class)
			.hasCauseInstanceOf(InterruptedException.class);
		assertThat(asking.isStillInterrupted()).isTrue();
		assertThat(ran).isFalse();
	}

	@Test
	void ownerThatReturnsCommits() throws Exception {
		Interrupted owner = Interrupted.run(() -> this.documents.rename("new", (thread) -> thread.interrupt()));
		assertThat(owner.failure()).isNull();
		assertThat(owner.isStillInterrupted()).isTrue();
		assertThat(title()).isEqualTo("new");
	}

	@Test
	void ownerThatThrowsIsRolledBack() throws Exception {
		IllegalStateException own = new IllegalStateException();
		Interrupted owner = Interrupted.run(() -> this.documents.rename("new", (thread) -> {
			thread.interrupt();
			throw own;
		}));
		assertThat(owner.failure()).isSameAs(own);
		assertThat(owner.isStillInterrupted()).isTrue();
		assertThat(title()).isEqualTo("old");
	}

	@Test
	void ownerThatIsInterruptedInASleepReleases() throws Exception {
		CountDownLatch asleep = new CountDownLatch(1);
		Interrupted owner = Interrupted.run(() -> this.locks.executeWithoutResult(REQUEST, (lease) -> {
			asleep.countDown();
			sleep();
		}));
		asleep.await();
		owner.interrupt();
		assertThat(owner.failure()).isInstanceOf(IllegalStateException.class)
			.hasCauseInstanceOf(InterruptedException.class);
		assertThat(owner.isStillInterrupted()).isTrue();
	}

	private static void sleep() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static String title() {
		return jdbc.queryForObject("select title from document", String.class);
	}

	/**
	 * A thread that is interrupted, and how it ended.
	 */
	private static final class Interrupted {

		private final Thread thread;

		private final CompletableFuture<@Nullable Throwable> failure = new CompletableFuture<>();

		private volatile boolean stillInterrupted;

		private Interrupted(Runnable code) {
			this.thread = new Thread(() -> {
				Throwable thrown = null;
				try {
					code.run();
				}
				catch (Throwable ex) {
					thrown = ex;
				}
				this.stillInterrupted = Thread.currentThread().isInterrupted();
				this.failure.complete(thrown);
			});
		}

		static Interrupted run(Runnable code) {
			Interrupted interrupted = new Interrupted(code);
			interrupted.thread.setDaemon(true);
			interrupted.thread.start();
			return interrupted;
		}

		boolean isWaiting() {
			return this.thread.getState() == Thread.State.TIMED_WAITING
					|| this.thread.getState() == Thread.State.WAITING;
		}

		void interrupt() {
			this.thread.interrupt();
		}

		@Nullable Throwable failure() throws Exception {
			return this.failure.get(60, TimeUnit.SECONDS);
		}

		boolean isStillInterrupted() {
			return this.stillInterrupted;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Documents.class)
	static class Application extends Startup.Application {

	}

	static class Documents {

		private final JdbcTemplate jdbc;

		Documents(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@FencedLock("document")
		@Transactional
		public void rename(String title, Consumer<Thread> interrupt) {
			this.jdbc.update("update document set title = ?", title);
			interrupt.accept(Thread.currentThread());
			this.jdbc.update("update document set title = ?", title);
		}

	}

}
