package dev.fencing.benchmark.database;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.benchmark.process.LoadWorker;
import dev.fencing.benchmark.server.BenchServers;
import dev.fencing.rejection.RejectionWriter;

/**
 * Owners that are refused, at a fixed rate and each on a resource of its own, and what
 * stays of them in memory. Arguments: {@code MEMORY} or {@code JDBC} for where rejections
 * are kept, rejections a second, milliseconds to warm up, and milliseconds that are
 * measured.
 *
 * @since 0.1.0
 */
public final class RejectionLoad {

	private static final int THREADS = 8;

	private final FencedLockTemplate locks;

	private final TransactionTemplate transactions;

	private final JdbcTemplate jdbc;

	private final int perSecond;

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	private int refused;

	private RejectionLoad(ConfigurableApplicationContext application, int perSecond) {
		this.locks = application.getBean(FencedLockTemplate.class);
		this.transactions = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
		this.jdbc = application.getBean(JdbcTemplate.class);
		this.perSecond = perSecond;
	}

	/**
	 * Run the load, and report the bytes of live heap after the warm-up, in the middle
	 * and at the end, the rejections a second, and how many were dropped.
	 * @param args see the class
	 * @throws Exception if an owner was not refused
	 */
	public static void main(String[] args) throws Exception {
		boolean stored = args[0].equals("JDBC");
		Duration warmUp = Duration.ofMillis(Long.parseLong(args[2]));
		Duration half = Duration.ofMillis(Long.parseLong(args[3])).dividedBy(2);
		RejectionWriter writer = null;
		BenchTables.create();
		// It is the heap that is measured, and no disk is to be waited for. Each
		// rejection
		// would be a line of the log besides
		try (ConfigurableApplicationContext application = AccountsKind.FENCED.start(
				BenchServers.postgresUrl() + "?options=-c%20synchronous_commit=off",
				Map.of("fencing.rejections.store", args[0], "logging.level.dev.fencing.rejection", "off"))) {
			if (stored) {
				writer = application.getBean(RejectionWriter.class);
			}
			RejectionLoad load = new RejectionLoad(application, Integer.parseInt(args[1]));
			load.run(warmUp);
			LoadWorker.report(liveHeap());
			long took = load.run(half);
			LoadWorker.report(liveHeap());
			took += load.run(half);
			LoadWorker.report(liveHeap());
			LoadWorker.report(load.inTime(half.multipliedBy(2)) * (double) TimeUnit.SECONDS.toNanos(1) / took);
			load.threads.shutdown();
		}
		// What waited to be stored has been stored, or dropped, by now
		LoadWorker.report((writer != null) ? writer.dropped() : 0);
	}

	/**
	 * Refuse owners for some time.
	 * @return how long that really took, in nanoseconds
	 */
	private long run(Duration duration) throws Exception {
		int first = this.refused;
		int number = inTime(duration);
		long start = System.nanoTime();
		for (Future<?> done : this.threads.invokeAll(IntStream.range(0, THREADS)
			.mapToObj((thread) -> Executors.callable(() -> refuseEach(first, thread, number, start)))
			.toList())) {
			done.get();
		}
		this.refused += number;
		return System.nanoTime() - start;
	}

	private int inTime(Duration duration) {
		return (int) (this.perSecond * duration.toMillis() / 1000);
	}

	private void refuseEach(int first, int thread, int number, long start) {
		for (int i = thread; i < number; i += THREADS) {
			long due = start + i * TimeUnit.SECONDS.toNanos(1) / this.perSecond;
			for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			refuse(first + i);
		}
	}

	/**
	 * Have a later owner registered while the code runs, so that the guard refuses.
	 */
	private void refuse(int key) {
		LockRequest request = LockRequest.of("account").key(key);
		try {
			this.locks.execute(request, (context) -> {
				this.jdbc.update("""
						update FENCING_GENERATION set fencing_token = fencing_token + ?, owner = 'later' \
						where resource_id = ?""", FencingTokens.PER_GENERATION, context.resource());
				return this.transactions.execute((status) -> this.jdbc
					.update("update account set balance = balance + 1 where id = ?", key % BenchTables.ACCOUNTS));
			});
		}
		catch (StaleGenerationException ex) {
			return;
		}
		throw new IllegalStateException("Not refused: " + request);
	}

	private static long liveHeap() {
		System.gc();
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
