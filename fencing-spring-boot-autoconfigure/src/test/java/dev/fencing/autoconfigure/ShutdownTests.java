package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.LeaseProviderException;
import dev.fencing.LockRequest;
import dev.fencing.lease.HeldLeases;
import dev.fencing.testsupport.RedisTestServer;

import static dev.fencing.autoconfigure.RunningBody.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that stops: what runs under a lease goes on under renewal to its end,
 * the lease is given back, and only then the connection to Redis closes.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTests {

	/** A close that waits for nothing, or for itself, does not come to an end. */
	private static final String PATIENT = "--spring.lifecycle.timeout-per-shutdown-phase=1h";

	private static final String IMPATIENT = "--spring.lifecycle.timeout-per-shutdown-phase=100ms";

	private static final String PHASE = "--test.phase=";

	private static final String SHORT_LEASE = "--fencing.lock.lease-time=600ms";

	private static final String LEASE = "{fencing}:lease:";

	private static final List<String> events = new CopyOnWriteArrayList<>();

	private static final AtomicInteger renewals = new AtomicInteger();

	private static RedisCommands<String, String> observer;

	private final RedisTestServer redis = RedisTestServer.started();

	private final RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", this.redis.port()));

	@BeforeEach
	void observe() {
		this.client
			.setOptions(ClientOptions.builder().disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).build());
		observer = this.client.connect().sync();
		events.clear();
		renewals.set(0);
	}

	@AfterEach
	void close() {
		this.client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
		this.redis.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, Integer.MIN_VALUE, Integer.MAX_VALUE - 2 })
	void bodyEndsUnderRenewalThenTheLeaseIsReleasedThenRedisCloses(int phaseOfTheFactory) throws Exception {
		assertOrder(start(Application.class, PATIENT, PHASE + phaseOfTheFactory));
	}

	@Test
	void bodyEndsBeforeTheMarkedOneOfSeveralFactoriesCloses() throws Exception {
		assertOrder(start(SeveralFactories.class, PATIENT));
	}

	@Test
	void bodyEndsBeforeRedisClosesAlsoWhereBeansAreLazy() throws Exception {
		assertOrder(start(Application.class, PATIENT, "--spring.main.lazy-initialization=true"));
	}

	private void assertOrder(ConfigurableApplicationContext context) throws Exception {
		observer.set(LEASE + "another", "7:another");
		RunningBody body = RunningBody.start(context, "document");
		CompletableFuture<Void> close = close(context);
		eventually().until(() -> events.contains("stopping"));
		awaitRenewals();
		assertThat(close).isNotDone();
		assertThat(observer.pttl(LEASE + "document")).isPositive();
		assertThat(body.isRunning()).isTrue();
		body.end();
		assertThat(body.result()).isEqualTo("done by document");
		close.get(60, TimeUnit.SECONDS);
		assertThat(events).containsExactly("stopping", "ended document", "factory stopped, leases: [another]");
	}

	@Test
	void closeWithoutBodiesDoesNotWait() {
		ConfigurableApplicationContext context = start(Application.class, PATIENT);
		context.getBean(FencedLockTemplate.class).executeWithoutResult(LockRequest.of("document"), (lease) -> {
		});
		context.close();
		assertThat(events).containsExactly("ended document", "stopping", "factory stopped, leases: []");
	}

	@Test
	void whoHasWaitedLeavesNoConnectionBehindThatThePoolWarnsOf(CapturedOutput output) throws Exception {
		ConfigurableApplicationContext context = start(Application.class, PATIENT);
		RunningBody holder = RunningBody.start(context, "document");
		RunningBody waiter = RunningBody.waiting(context, "document", (task) -> new Thread(task).start());
		eventually().until(() -> observer.pubsubChannels().size() == 1);
		holder.end();
		assertThat(holder.result()).isEqualTo("done by document");
		waiter.end();
		assertThat(waiter.result()).isEqualTo("done by document");
		context.close();
		assertThat(observer.pubsubChannels()).isEmpty();
		assertThat(output).doesNotContain("unreleased");
	}

	@Test
	void leasesAreTakenUntilRedisCloses() throws Exception {
		ConfigurableApplicationContext context = start(Application.class, PATIENT);
		FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
		RunningBody first = RunningBody.start(context, "first");
		CompletableFuture<Void> close = close(context);
		eventually().until(() -> events.contains("stopping"));
		RunningBody second = RunningBody.start(context, "second");
		first.end();
		assertThat(first.result()).isEqualTo("done by first");
		assertThat(close).isNotDone();
		second.end();
		assertThat(second.result()).isEqualTo("done by second");
		close.get(60, TimeUnit.SECONDS);
		assertThat(events).containsExactly("stopping", "ended first", "ended second", "factory stopped, leases: []");
		assertRefused(locks);
	}

	@Test
	void callThatWaitsForALeaseIsWaitedForAsWell() throws Exception {
		ConfigurableApplicationContext context = start(Application.class, PATIENT);
		RunningBody first = RunningBody.start(context, "document");
		RunningBody second = RunningBody.waiting(context, "document", (task) -> new Thread(task).start());
		eventually().until(() -> context.getBean(HeldLeases.class).calls() == 2);
		CompletableFuture<Void> close = close(context);
		eventually().until(() -> events.contains("stopping"));
		first.end();
		second.awaitRunning();
		second.end();
		assertThat(second.result()).isEqualTo("done by document");
		close.get(60, TimeUnit.SECONDS);
		assertThat(events).containsExactly("stopping", "ended document", "ended document",
				"factory stopped, leases: []");
	}

	@Test
	void taskOfTheApplicationsExecutorIsNotInterrupted() throws Exception {
		ConfigurableApplicationContext context = start(WithExecutor.class, PATIENT);
		RunningBody body = RunningBody.waiting(context, "document", context.getBean(AsyncTaskExecutor.class));
		body.awaitRunning();
		CompletableFuture<Void> close = close(context);
		awaitRenewals();
		assertThat(close).isNotDone();
		body.end();
		assertThat(body.result()).isEqualTo("done by document");
		close.get(60, TimeUnit.SECONDS);
		assertThat(events).contains("ended document", "factory stopped, leases: []");
	}

	@Test
	void bodyThatTakesLongerThanThePhaseMayEndsUndisturbed(CapturedOutput output) throws Exception {
		ConfigurableApplicationContext context = start(Application.class, IMPATIENT);
		FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
		RunningBody body = RunningBody.start(context, "document");
		context.close();
		assertThat(events).containsExactly("stopping", "factory stopped, leases: [document]");
		assertRefused(locks);
		assertThat(body.isRunning()).isTrue();
		eventually().until(() -> observer.exists(LEASE + "document") == 0);
		body.end();
		assertThat(body.result()).isEqualTo("done by document");
		// What was lost meanwhile is told, but not that it could not be given back
		assertThat(output.getAll()).doesNotContain("d.f.l.", "d.f.t.", "Exception");
	}

	@Test
	void exceptionOfABodyThatEndsAfterRedisHasClosedIsItsOwn() throws Exception {
		ConfigurableApplicationContext context = start(Application.class, IMPATIENT);
		FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
		UnsupportedOperationException own = new UnsupportedOperationException();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> locks.executeWithoutResult(LockRequest.of("document"), (lease) -> {
				close(context).join();
				throw own;
			}))
			.isSameAs(own);
		assertThat(events).containsExactly("stopping", "factory stopped, leases: [document]", "ended document");
		eventually().until(() -> observer.exists(LEASE + "document") == 0);
	}

	@Test
	void redisThatGoesAwayMeanwhileReplacesNoResult() throws Exception {
		ConfigurableApplicationContext context = start(SeveralFactories.class, PATIENT);
		RunningBody body = RunningBody.start(context, "document");
		CompletableFuture<Void> close = close(context);
		eventually().until(() -> events.contains("stopping"));
		this.redis.stop();
		body.end();
		assertThat(body.result()).isEqualTo("done by document");
		close.get(60, TimeUnit.SECONDS);
		assertThat(events).startsWith("stopping", "ended document").hasSize(3);
	}

	@Test
	void bodyThatClosesTheApplicationIsNotWaitedFor() {
		ConfigurableApplicationContext context = start(Application.class, PATIENT);
		FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
		String result = locks.execute(LockRequest.of("document"),
				(outer) -> locks.execute(LockRequest.of("page"), (inner) -> {
					context.close();
					return "closed";
				}));
		assertThat(result).isEqualTo("closed");
		assertThat(events).startsWith("stopping", "factory stopped, leases: [document, page]");
	}

	@Test
	void applicationThatIsStoppedAndStartedLocksAndRenewsAgain() throws Exception {
		ConfigurableApplicationContext context = start(Application.class, PATIENT);
		FencedLockTemplate locks = context.getBean(FencedLockTemplate.class);
		for (int round = 0; round < 2; round++) {
			events.clear();
			RunningBody body = RunningBody.start(context, "document");
			RunningBody waiting = RunningBody.waiting(context, "document", (task) -> new Thread(task).start());
			awaitRenewals();
			CompletableFuture<Void> stop = CompletableFuture.runAsync(context::stop);
			eventually().until(() -> events.contains("stopping"));
			body.end();
			waiting.awaitRunning();
			waiting.end();
			assertThat(waiting.result()).isEqualTo("done by document");
			stop.get(60, TimeUnit.SECONDS);
			assertThat(events).containsExactly("stopping", "ended document", "ended document",
					"factory stopped, leases: []");
			assertRefused(locks);
			context.start();
		}
		context.close();
	}

	@Test
	void bodyEndsBeforeRedisClosesAlsoWhenTheStartFails() throws Exception {
		CompletableFuture<RunningBody> begun = new CompletableFuture<>();
		CompletableFuture<Void> failure = CompletableFuture
			.runAsync(() -> assertThatException().isThrownBy(() -> start(FailingStart.class, PATIENT))
				.isInstanceOf(ApplicationContextException.class));
		FailingStart.onStart = begun::complete;
		RunningBody body = begun.get(60, TimeUnit.SECONDS);
		awaitRenewals();
		body.end();
		assertThat(body.result()).isEqualTo("done by document");
		failure.get(60, TimeUnit.SECONDS);
		assertThat(events).contains("ended document", "factory stopped, leases: []");
	}

	@Test
	void bodyEndsBeforeAnApplicationWithoutRedisDoes() throws Exception {
		ConfigurableApplicationContext context = Startup.start(WithoutRedis.class,
				with(Startup.WORKING, PATIENT, SHORT_LEASE));
		RunningBody body = RunningBody.start(context, "document");
		CompletableFuture<Void> close = close(context);
		eventually().until(() -> events.contains("stopping"));
		awaitRenewals();
		assertThat(close).isNotDone();
		body.end();
		assertThat(body.result()).isEqualTo("done by document");
		close.get(60, TimeUnit.SECONDS);
	}

	@Test
	void connectionThatClosesFirstOfAllIsReported(CapturedOutput output) {
		start(Application.class, PATIENT, PHASE + Integer.MAX_VALUE).close();
		assertThat(output).contains("Integer.MAX_VALUE", "Set a lower phase");
	}

	private static void assertRefused(FencedLockTemplate locks) {
		AtomicBoolean ran = new AtomicBoolean();
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> locks.executeWithoutResult(LockRequest.of("late"), (lease) -> ran.set(true)));
		assertThat(ran).isFalse();
	}

	private static CompletableFuture<Void> close(ConfigurableApplicationContext context) {
		return CompletableFuture.runAsync(context::close);
	}

	/**
	 * Wait for more than the lease time: a third of it lies between two renewals.
	 */
	private static void awaitRenewals() {
		int before = renewals.get();
		eventually().until(() -> renewals.get() > before + 4);
	}

	private ConfigurableApplicationContext start(Class<?> source, String... arguments) {
		return Startup.start(source, with(arguments, "--spring.datasource.generate-unique-name=true",
				"--test.port=" + this.redis.port(), SHORT_LEASE));
	}

	private static String[] with(String[] some, String... others) {
		return Stream.of(some, others).flatMap(Stream::of).toArray(String[]::new);
	}

	/**
	 * Tells when it stops, and what leases there are then.
	 */
	static final class RecordingFactory extends LettuceConnectionFactory {

		RecordingFactory(int port, int phase) {
			super(new RedisStandaloneConfiguration("127.0.0.1", port));
			setPhase(phase);
		}

		@Override
		public void stop() {
			// Its end stops it once more
			if (isRunning()) {
				events.add("factory stopped, leases: " + leases());
			}
			super.stop();
		}

		private static List<String> leases() {
			return Stream.of("another", "document", "first", "page", "second")
				.filter((lock) -> exists(LEASE + lock))
				.toList();
		}

		private static boolean exists(String key) {
			try {
				return observer.exists(key) == 1;
			}
			catch (RuntimeException ex) {
				return false;
			}
		}

	}

	/**
	 * What all these applications have in common.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LifecycleAutoConfiguration.class)
	static class WithoutRedis extends Startup.WithoutRedis {

		/**
		 * Stops in the phase in which most things do that begin work.
		 */
		@Bean
		SmartLifecycle worker() {
			return new Worker();
		}

		@Bean
		FencingListener recordingListener() {
			return new FencingListener() {
				@Override
				public void leaseRenewed(FencingContext context, double slack) {
					renewals.incrementAndGet();
				}

				@Override
				public void leaseEnded(FencingContext context, Duration held) {
					events.add("ended " + context.name());
				}
			};
		}

	}

	static class Worker implements SmartLifecycle {

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			events.add("stopping");
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application extends WithoutRedis {

		@Bean
		LettuceConnectionFactory connectionFactory(@Value("${test.port}") int port,
				@Value("${test.phase:0}") int phase) {
			return new RecordingFactory(port, phase);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SeveralFactories extends WithoutRedis {

		@Bean
		RedisConnectionFactory cache() {
			return new LettuceConnectionFactory("127.0.0.1", 1);
		}

		@Bean
		@FencingRedis
		RedisConnectionFactory leases(@Value("${test.port}") int port) {
			return new RecordingFactory(port, 0);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(TaskExecutionAutoConfiguration.class)
	static class WithExecutor extends Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class FailingStart extends Application {

		private static volatile Consumer<RunningBody> onStart = (body) -> {
		};

		@Bean
		SmartLifecycle failing(ConfigurableApplicationContext context) {
			return new Worker() {
				@Override
				public void start() {
					onStart.accept(RunningBody.start(context, "document"));
					throw new IllegalStateException("Does not start");
				}
			};
		}

	}

}
