package dev.fencing.event;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.Assert;

import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.Rejection;

/**
 * Publishes what happens to leases as events of the application context. Whoever listens
 * is called on the thread where it happens, for a lost lease on a thread for events, and
 * what was said to {@link FencingListener listeners} holds for it too: no transaction on
 * the fenced database is opened there, and nothing is waited for; {@code @Async} is the
 * way to do more. An exception goes no further than the log.
 *
 * @since 0.1.0
 */
public final class FencingEventPublisher implements FencingListener, AutoCloseable {

	private final ApplicationEventPublisher publisher;

	private final EventThread thread;

	/**
	 * Create a publisher.
	 * @param publisher publishes the events; never null
	 */
	public FencingEventPublisher(ApplicationEventPublisher publisher) {
		Assert.notNull(publisher, "A publisher is required");
		this.publisher = publisher;
		this.thread = new EventThread((publisher instanceof ResourceLoader application) ? application.getClassLoader()
				: FencingEventPublisher.class.getClassLoader());
	}

	@Override
	public void leaseAcquired(FencingContext context) {
		this.publisher.publishEvent(new AcquiredEvent(this.publisher, LeaseAcquired.of(context)));
	}

	@Override
	public void leaseLost(FencingContext context) {
		LeaseLost event = LeaseLost.of(context);
		this.thread.run(() -> this.publisher.publishEvent(event));
	}

	@Override
	public void rejected(Rejection rejection) {
		this.publisher.publishEvent(new GenerationRejected(rejection));
	}

	@Override
	public void issuerRegressed(Rejection rejection) {
		this.publisher.publishEvent(new IssuerRegressed(rejection));
	}

	/**
	 * End. Losses of leases that nobody was told of yet are dropped, and counted in the
	 * log.
	 */
	@Override
	public void close() {
		this.thread.close();
	}

	/**
	 * Comes with every call, mostly with nobody to listen: it knows its type, which
	 * Spring works out anew for each event that is wrapped like this.
	 */
	private static final class AcquiredEvent extends PayloadApplicationEvent<LeaseAcquired> {

		private static final ResolvableType PAYLOAD_TYPE = ResolvableType.forClass(LeaseAcquired.class);

		private static final ResolvableType TYPE = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class,
				PAYLOAD_TYPE);

		AcquiredEvent(Object source, LeaseAcquired payload) {
			super(source, payload, PAYLOAD_TYPE);
		}

		@Override
		public ResolvableType getResolvableType() {
			return TYPE;
		}

	}

}
