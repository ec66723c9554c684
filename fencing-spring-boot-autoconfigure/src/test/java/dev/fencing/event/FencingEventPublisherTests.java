package dev.fencing.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.autoconfigure.FencingAutoConfiguration;
import dev.fencing.autoconfigure.FencingJdbcAutoConfiguration;
import dev.fencing.autoconfigure.FencingMetricsAutoConfiguration;
import dev.fencing.lease.LeaseProvider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Methods with {@code @EventListener} are told of leases.
 */
@Timeout(60)
class FencingEventPublisherTests {

	private static final LockRequest REQUEST = LockRequest.of("document").key(42);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(FencingAutoConfiguration.class, FencingJdbcAutoConfiguration.class,
				DataSourceAutoConfiguration.class))
		.withPropertyValues("fencing.provider=memory", "fencing.lock.renew-interval=20ms",
				"spring.datasource.generate-unique-name=true")
		.withBean(Listener.class);

	@Test
	void listenerIsToldOfEachLeaseBeforeItsCodeRuns() {
		this.runner.run((context) -> {
			Listener listener = context.getBean(Listener.class);
			context.getBean(FencedLockTemplate.class)
				.executeWithoutResult(REQUEST, (lease) -> assertThat(listener.events)
					.containsExactly(new LeaseAcquired("document", List.of("document:42"), lease.generation())));
			assertThat(listener.events).hasSize(1);
		});
	}

	@Test
	void listenerOfWrappedEventsIsToldOfLeasesAlone() {
		List<Object> payloads = new ArrayList<>();
		this.runner.withBean("wrapped", ApplicationListener.class,
				() -> new ApplicationListener<PayloadApplicationEvent<LeaseAcquired>>() {
					@Override
					public void onApplicationEvent(PayloadApplicationEvent<LeaseAcquired> event) {
						payloads.add(event.getPayload());
					}
				})
			.run((context) -> {
				context.publishEvent("something else");
				context.getBean(FencedLockTemplate.class).executeWithoutResult(REQUEST, (lease) -> {
				});
				assertThat(payloads).singleElement().isInstanceOf(LeaseAcquired.class);
			});
	}

	@Test
	void listenerIsToldOfALostLease() {
		this.runner.run((context) -> {
			Listener listener = context.getBean(Listener.class);
			LeaseProvider provider = context.getBean(LeaseProvider.class);
			context.getBean(FencedLockTemplate.class).executeWithoutResult(REQUEST, (lease) -> {
				provider.release(provider.find("document:42").lease());
				await().untilAsserted(() -> assertThat(listener.events)
					.contains(new LeaseLost("document", List.of("document:42"), lease.generation())));
			});
		});
	}

	@Test
	void metersKnowOfALossBeforeAListenerThatMayBeSlow() {
		CompletableFuture<Double> counted = new CompletableFuture<>();
		this.runner.withConfiguration(AutoConfigurations.of(FencingMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(LossListener.class,
					() -> new LossListener(
							(meters) -> counted.complete(meters.get("fence.lease.lost").counter().count())))
			.run((context) -> {
				LeaseProvider provider = context.getBean(LeaseProvider.class);
				context.getBean(FencedLockTemplate.class).executeWithoutResult(REQUEST, (lease) -> {
					provider.release(provider.find("document:42").lease());
					assertThat(counted.orTimeout(30, TimeUnit.SECONDS).join()).isOne();
				});
			});
	}

	@Test
	void listenerThatHangsKeepsNoLaterLossFromTheMeters() {
		CountDownLatch hanging = new CountDownLatch(1);
		this.runner.withConfiguration(AutoConfigurations.of(FencingMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(LossListener.class, () -> new LossListener((meters) -> awaitQuietly(hanging)))
			.run((context) -> {
				for (int lost = 1; lost <= 3; lost++) {
					lose(context);
					Counter counter = context.getBean(MeterRegistry.class).get("fence.lease.lost").counter();
					int expected = lost;
					await().untilAsserted(() -> assertThat(counter.count()).isEqualTo(expected));
				}
				hanging.countDown();
				await().untilAsserted(
						() -> assertThat(context.getBean(Listener.class).events).filteredOn(LeaseLost.class::isInstance)
							.hasSize(3));
			});
	}

	private static void lose(ApplicationContext context) {
		LeaseProvider provider = context.getBean(LeaseProvider.class);
		context.getBean(FencedLockTemplate.class).executeWithoutResult(REQUEST, (lease) -> {
			provider.release(provider.find("document:42").lease());
			await().until(lease::isLost);
		});
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void listenerIsToldOfRejectionsAndRegressions() {
		this.runner.run((context) -> {
			Rejection rejection = new Rejection(Instant.now(), "document", "document:42", 1, 2L, Guard.REGISTRATION,
					Reason.REGRESSED, "a1", "host-1");
			FencingListener publisher = context.getBean(FencingEventPublisher.class);
			publisher.rejected(rejection);
			publisher.issuerRegressed(rejection);
			assertThat(context.getBean(Listener.class).events).containsExactly(new GenerationRejected(rejection),
					new IssuerRegressed(rejection));
		});
	}

	@Test
	void listenerThatFailsKeepsNeitherTheCodeFromRunningNorTheLease() {
		this.runner.withBean(FailingListener.class).run((context) -> {
			List<String> ran = new ArrayList<>();
			context.getBean(FencedLockTemplate.class)
				.executeWithoutResult(REQUEST, (lease) -> ran.add(lease.resource()));
			assertThat(ran).containsExactly("document:42");
			assertThat(context.getBean(LeaseProvider.class).find("document:42")).isNull();
		});
	}

	static class Listener {

		final List<Object> events = new CopyOnWriteArrayList<>();

		@EventListener({ LeaseAcquired.class, LeaseLost.class, GenerationRejected.class, IssuerRegressed.class })
		void on(Object event) {
			this.events.add(event);
		}

	}

	static class LossListener {

		private final Consumer<MeterRegistry> action;

		@Autowired
		private MeterRegistry meters;

		LossListener(Consumer<MeterRegistry> action) {
			this.action = action;
		}

		@EventListener
		void on(LeaseLost event) {
			this.action.accept(this.meters);
		}

	}

	static class FailingListener {

		@EventListener
		void on(LeaseAcquired event) {
			throw new IllegalStateException("Fails at " + event);
		}

	}

}
