package dev.fencing.shedlock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.fencing.LeaseProviderException;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.RedisLeases;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FencedLockProvider} with leases in a real Redis.
 */
class RedisFencedLockProviderTests extends AbstractFencedLockProviderTests {

	private static RedisLeases redis;

	@BeforeAll
	static void start() {
		redis = new RedisLeases();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	@Override
	LeaseProvider leases() {
		return redis.provider();
	}

	@Test
	void taskDoesNotRunWhenRedisIsDown() {
		try (RedisLeases down = new RedisLeases();
				FencedStack stack = FencedStack.on(TestDatabase.H2, down.provider(), true)) {
			down.stop();
			AtomicInteger runs = new AtomicInteger();
			LockingTaskExecutor executor = new DefaultLockingTaskExecutor(new FencedLockProvider(stack.locks()));
			assertThatExceptionOfType(LeaseProviderException.class)
				.isThrownBy(() -> executor.executeWithLock((Runnable) runs::incrementAndGet,
						configuration("job", Duration.ofMinutes(5), Duration.ZERO)));
			assertThat(runs).hasValue(0);
		}
	}

}
