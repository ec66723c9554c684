package dev.fencing.testsupport;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.lease.LeaseAttempt;
import dev.fencing.lease.LeaseRequest;
import dev.fencing.lease.LeaseState;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Gives out leases, numbered from 1, until a test lets something happen to them.
 */
public class FaultyLeases extends DelegatingLeaseProvider {

	private final AtomicReference<@Nullable Pause> nextAnswer = new AtomicReference<>();

	public FaultyLeases() {
		super(new InMemoryLeaseProvider(false));
	}

	/**
	 * Take a lease away from its owner, as if it had run out.
	 * @param resource the resource
	 */
	public void takeAway(String resource) {
		LeaseState state = find(resource);
		assertThat(state).isNotNull();
		assertThat(release(state.lease())).isTrue();
	}

	/**
	 * Forget all leases, and all numbers above one.
	 * @param counter the number that was given out last
	 */
	public void fallBackTo(long counter) {
		InMemoryLeaseProvider other = new InMemoryLeaseProvider(false);
		other.raise("any", counter);
		delegateTo(other);
	}

	/**
	 * Let the next lease be granted, but the answer wait.
	 * @return ends the wait
	 */
	public Pause holdBackNextAnswer() {
		Pause pause = new Pause();
		this.nextAnswer.set(pause);
		return pause;
	}

	@Override
	public LeaseAttempt acquire(LeaseRequest request) {
		LeaseAttempt answer = super.acquire(request);
		Pause pause = this.nextAnswer.getAndSet(null);
		if (pause != null) {
			pause.reach();
		}
		return answer;
	}

	/**
	 * A place where a thread waits for the test.
	 */
	public static final class Pause {

		private final CountDownLatch reached = new CountDownLatch(1);

		private final CountDownLatch over = new CountDownLatch(1);

		/**
		 * Wait until the test ends the pause.
		 */
		public void reach() {
			this.reached.countDown();
			await(this.over);
		}

		/**
		 * Wait until the thread is there.
		 */
		public void awaitReached() {
			await(this.reached);
		}

		public void end() {
			this.over.countDown();
		}

		private static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
