package dev.fencing.benchmark.lease;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.server.BenchServers;

/**
 * Locks that nobody else wants are taken and given back: each thread has its own.
 *
 * @since 0.1.0
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class LockBenchmark {

	/**
	 * Whose locks.
	 */
	@Param
	public PeerKind peer = PeerKind.FENCING;

	private @Nullable Peer locks;

	/**
	 * Connect.
	 */
	@Setup
	public void open() {
		this.locks = this.peer.open(BenchServers.redisPort(), Duration.ofSeconds(30));
	}

	/**
	 * Disconnect.
	 */
	@TearDown
	public void close() {
		locks().close();
	}

	/**
	 * Take a lock and give it back.
	 * @param keys the locks of the thread
	 * @param blackhole uses the work that is done
	 */
	@Benchmark
	public void lock(Keys keys, Blackhole blackhole) {
		locks().locked(keys.next(), Duration.ofSeconds(5), () -> blackhole.consume(keys));
	}

	private Peer locks() {
		return Objects.requireNonNull(this.locks);
	}

	/**
	 * The keys of one thread, which it takes in turns.
	 *
	 * @since 0.1.0
	 */
	@State(Scope.Thread)
	public static class Keys {

		private static final AtomicInteger threads = new AtomicInteger();

		private final String[] keys;

		private int taken;

		/**
		 * Create the keys of a thread.
		 */
		public Keys() {
			int thread = threads.incrementAndGet();
			this.keys = IntStream.range(0, 100)
				.mapToObj((i) -> "account-%d-%d".formatted(thread, i))
				.toArray(String[]::new);
		}

		String next() {
			this.taken = (this.taken + 1) % this.keys.length;
			return this.keys[this.taken];
		}

	}

}
