package dev.fencing.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingListener;
import dev.fencing.LockRequest;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;
import dev.fencing.autoconfigure.FencingAutoConfiguration;
import dev.fencing.autoconfigure.FencingJdbcAutoConfiguration;
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

	static class FailingListener {

		@EventListener
		void on(LeaseAcquired event) {
			throw new IllegalStateException("Fails at " + event);
		}

	}

}
