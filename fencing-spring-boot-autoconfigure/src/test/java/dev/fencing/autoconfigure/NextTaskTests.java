package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.context.ContextSnapshotFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingContextHolder;
import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.HeldLeases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A token is known to the code under its lease, on the thread that took it, and to
 * nothing else: not to the next task of a pool's thread, and not to another thread, even
 * if everything is propagated to it that can be.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class NextTaskTests {

	private static final LockRequest REQUEST = LockRequest.of("document");

	private static final String UPDATE = "update document set title = ?";

	private static ConfigurableApplicationContext context;

	private static FencedLockTemplate locks;

	private static FencedJdbcTemplate fencedJdbc;

	private static JdbcTemplate jdbc;

	private static PlatformTransactionManager transactions;

	private final ExecutorService pool = Executors.newSingleThreadExecutor();

	@BeforeAll
	static void start() {
		context = Startup
			.start(Application.class,
					Stream
						.concat(Stream.of(Startup.WORKING),
								Stream.of("--spring.datasource.hikari.maximum-pool-size=5",
										"--fencing.lock.wait-time=10s"))
						.toArray(String[]::new));
		locks = context.getBean(FencedLockTemplate.class);
		fencedJdbc = context.getBean(FencedJdbcTemplate.class);
		jdbc = context.getBean(JdbcTemplate.class);
		transactions = context.getBean(PlatformTransactionManager.class);
		jdbc.execute("create table document (title varchar(40), fencing_token bigint not null default 0)");
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@BeforeEach
	void reset() {
		jdbc.update("delete from document");
		jdbc.update("insert into document (title) values ('old')");
	}

	@AfterEach
	void shutDown() {
		this.pool.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource
	void nextTaskOnTheThreadKnowsNothing(Task task) throws Exception {
		Thread thread = this.pool.submit(() -> {
			assertThat(FencingContext.current()).isEmpty();
			task.run();
			return Thread.currentThread();
		}).get();
		this.pool.submit(() -> {
			assertThat(Thread.currentThread()).isSameAs(thread);
			assertNothingIsKnown();
			// And it may lock again as if nothing had been
			locks.executeWithoutResult(REQUEST, (lease) -> assertThat(fencedJdbc.update(UPDATE, "next")).isOne());
			return null;
		}).get();
		assertThat(context.getBean(HeldLeases.class).calls()).isZero();
	}

	@Test
	void threadThatIsStartedUnderTheLeaseKnowsNothing() throws Exception {
		locks.execute(REQUEST, (lease) -> {
			ExecutorService fresh = Executors.newSingleThreadExecutor();
			try {
				return fresh.submit(NextTaskTests::assertNothingIsKnown).get();
			}
			finally {
				fresh.shutdownNow();
			}
		});
	}

	@Test
	void asynchronousMethodKnowsNothingThoughTheContextIsPropagated() throws Exception {
		assertThat(context.getBean(TaskDecorator.class)).isInstanceOf(ContextPropagatingTaskDecorator.class);
		Letters letters = context.getBean(Letters.class);
		locks.execute(REQUEST, (lease) -> letters.write().get(60, TimeUnit.SECONDS));
	}

	@Test
	void snapshotOfTheContextHoldsNothing() throws Exception {
		locks.execute(REQUEST, (lease) -> {
			Callable<Object> captured = ContextSnapshotFactory.builder()
				.build()
				.captureAll()
				.wrap(NextTaskTests::assertNothingIsKnown);
			return this.pool.submit(captured).get();
		});
	}

	private static Object assertNothingIsKnown() {
		assertThat(FencingContext.current()).isEmpty();
		assertThat(FencingContextHolder.all()).isEmpty();
		assertThatExceptionOfType(NoFencedLeaseException.class).isThrownBy(FencingContext::require);
		assertThatExceptionOfType(NoFencedLeaseException.class).isThrownBy(() -> fencedJdbc.update(UPDATE, "foreign"));
		return true;
	}

	/**
	 * How a task under a lease can end.
	 */
	enum Task {

		RETURN {
			@Override
			void run() {
				locks.executeWithoutResult(REQUEST, (lease) -> fencedJdbc.update(UPDATE, "new"));
			}
		},

		EXCEPTION {
			@Override
			void run() {
				assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(() -> locks.executeWithoutResult(REQUEST, (lease) -> {
						throw new UnsupportedOperationException();
					}));
			}
		},

		ERROR {
			@Override
			void run() {
				assertThatExceptionOfType(StackOverflowError.class)
					.isThrownBy(() -> locks.executeWithoutResult(REQUEST, (lease) -> {
						throw new StackOverflowError();
					}));
			}
		},

		REJECTED_COMMIT {
			@Override
			void run() {
				assertThatExceptionOfType(StaleGenerationException.class)
					.isThrownBy(() -> locks.executeWithoutResult(REQUEST,
							(lease) -> new TransactionTemplate(transactions).executeWithoutResult((status) -> {
								jdbc.update(UPDATE, "stale");
								takeOver();
							})));
			}
		},

		SKIP {
			@Override
			void run() throws Exception {
				RunningBody owner = RunningBody.start(context, "document");
				assertThat(locks.tryExecute(REQUEST.waitTime(Duration.ZERO), (lease) -> "run")).isEmpty();
				owner.end();
				owner.result();
			}
		},

		RE_ENTRY {
			@Override
			void run() {
				locks.executeWithoutResult(REQUEST, (outer) -> {
					locks.executeWithoutResult(REQUEST, (inner) -> assertThat(inner).isSameAs(outer));
					assertThat(FencingContextHolder.all()).containsExactly(outer);
				});
			}
		},

		SEVERAL {
			@Override
			void run() {
				locks.executeWithoutResult(REQUEST, (outer) -> locks.executeWithoutResult(LockRequest.of("page"),
						(inner) -> assertThat(FencingContextHolder.all()).containsExactly(inner, outer)));
			}
		},

		LEFT_OPEN_TRANSACTION {
			@Override
			void run() {
				TransactionStatus leftOpen = locks.execute(REQUEST, (lease) -> {
					TransactionStatus transaction = transactions.getTransaction(TransactionDefinition.withDefaults());
					jdbc.update(UPDATE, "left open");
					return transaction;
				});
				assertThat(FencingContext.current()).isEmpty();
				transactions.commit(leftOpen);
			}
		};

		abstract void run() throws Exception;

		/**
		 * Register a later owner over a connection of its own.
		 */
		private static void takeOver() {
			TransactionTemplate own = new TransactionTemplate(transactions);
			own.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
			own.executeWithoutResult((status) -> jdbc.update("update fencing_generation set "
					+ "fencing_token = fencing_token + 1000000, owner = 'another' where resource_id = 'document'"));
		}

	}

	static class Letters {

		@Async
		public CompletableFuture<Object> write() {
			return CompletableFuture.completedFuture(assertNothingIsKnown());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@Import(Letters.class)
	@ImportAutoConfiguration(TaskExecutionAutoConfiguration.class)
	static class Application extends Startup.WithoutRedis {

		@Bean
		TaskDecorator taskDecorator() {
			return new ContextPropagatingTaskDecorator();
		}

	}

}
