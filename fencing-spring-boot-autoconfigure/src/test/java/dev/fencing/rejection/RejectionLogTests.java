package dev.fencing.rejection;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Guard;
import dev.fencing.Rejection.Reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RejectionLog}.
 */
class RejectionLogTests {

	@Test
	void pagesGoOnWhereTheLastOneEndedWhateverComesMeanwhile() {
		RejectionLog log = new RejectionLog(10);
		for (int token = 1; token <= 5; token++) {
			log.rejected(rejection("document:" + token, token));
		}
		RejectionPage first = log.page(null, null, 2);
		log.rejected(rejection("document:6", 6));
		RejectionPage second = log.page(null, first.next(), 2);
		RejectionPage third = log.page(null, second.next(), 2);
		assertThat(first.rejections()).containsExactly(rejection("document:5", 5), rejection("document:4", 4));
		assertThat(second.rejections()).containsExactly(rejection("document:3", 3), rejection("document:2", 2));
		assertThat(third).isEqualTo(new RejectionPage(List.of(rejection("document:1", 1)), null));
	}

	@Test
	void pageThatIsTheLastOneAndFullSaysSo() {
		RejectionLog log = new RejectionLog(10);
		log.rejected(rejection("document:1", 1));
		log.rejected(rejection("document:2", 2));
		assertThat(log.page("document:2", null, 1).next()).isNull();
		assertThat(log.page(null, null, 2).next()).isNull();
	}

	@Test
	void newestComesFirst() {
		RejectionLog log = new RejectionLog(10);
		Rejection first = rejection("document:1", 1);
		Rejection second = rejection("document:2", 2);
		log.rejected(first);
		log.rejected(second);
		assertThat(kept(log)).containsExactly(second, first);
		assertThat(log.total()).isEqualTo(2);
	}

	@Test
	void oldestMakesRoomAndIsStillCounted() {
		RejectionLog log = new RejectionLog(2);
		for (int generation = 1; generation <= 5; generation++) {
			log.rejected(rejection("document:1", generation));
		}
		assertThat(kept(log)).containsExactly(rejection("document:1", 5), rejection("document:1", 4));
		assertThat(log.total()).isEqualTo(5);
	}

	@Test
	void resourceIsComparedAsAWhole() {
		RejectionLog log = new RejectionLog(10);
		log.rejected(rejection("document:4", 1));
		log.rejected(rejection("document:42", 2));
		log.rejected(rejection("document:42", 3));
		assertThat(log.page("document:42", null, 10).rejections()).containsExactly(rejection("document:42", 3),
				rejection("document:42", 2));
		assertThat(log.page("document", null, 10).rejections()).isEmpty();
	}

	@Test
	void capacityOfZeroOnlyCounts() {
		RejectionLog log = new RejectionLog(0);
		log.rejected(rejection("document:1", 1));
		assertThat(kept(log)).isEmpty();
		assertThat(log.total()).isOne();
	}

	@Test
	void negativeCapacityIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new RejectionLog(-1)).withMessageContaining("-1");
	}

	@Test
	void whatWasReadDoesNotChange() {
		RejectionLog log = new RejectionLog(10);
		log.rejected(rejection("document:1", 1));
		var before = kept(log);
		log.rejected(rejection("document:1", 2));
		assertThat(before).hasSize(1);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> before.add(rejection("document:1", 3)));
	}

	@Test
	void nothingIsLostBetweenThreads() throws Exception {
		RejectionLog log = new RejectionLog(50);
		int threads = 4;
		int perThread = 20_000;
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			for (int thread = 0; thread < threads; thread++) {
				executor.submit(() -> {
					start.await();
					for (int i = 0; i < perThread; i++) {
						log.rejected(rejection("document:1", 1));
						if (i % 100 == 0) {
							kept(log);
						}
					}
					return null;
				});
			}
			start.countDown();
			executor.shutdown();
			assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(log.total()).isEqualTo(threads * perThread);
		assertThat(kept(log)).hasSize(50);
	}

	private static List<Rejection> kept(RejectionLog log) {
		return log.page(null, null, Integer.MAX_VALUE).rejections();
	}

	private static Rejection rejection(String resource, long generation) {
		return new Rejection(Instant.EPOCH, "document", resource, FencingTokens.of(generation, 1),
				FencingTokens.of(generation + 1, 0), Guard.TRANSACTION, Reason.STALE, "a1", "host-1");
	}

}
