package dev.fencing.autoconfigure;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingTokens;
import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.HeldLeases;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;
import dev.fencing.transaction.GenerationRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Many virtual threads that want the same few leases: none holds the thread that carries
 * it while it waits. Runs where the other versions of Spring Boot and the JDK are tested.
 */
@Tag("compat")
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "There are no virtual threads")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class VirtualThreadTests {

	private static final int DOCUMENTS = 4;

	private static final int TASKS = 200;

	private static final LockRequest REQUEST = LockRequest.of("other");

	private final RedisTestServer redis = RedisTestServer.started();

	private final ConfigurableApplicationContext context = Startup.start(Application.class,
			"--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + this.redis.port(),
			"--spring.datasource.url=" + PostgresTestServer.createDatabase(), "--spring.datasource.username=postgres",
			"--spring.datasource.password=postgres", "--fencing.jdbc.initialize-schema=always",
			"--fencing.rejections.store=jdbc", "--fencing.lock.wait-time=3m");

	private final JdbcTemplate jdbc = this.context.getBean(JdbcTemplate.class);

	private final Documents documents = this.context.getBean(Documents.class);

	private final ExecutorService executor = virtualThreads();

	@TempDir
	private Path folder;

	@BeforeEach
	void useAllOnce() throws Exception {
		this.jdbc.execute("create table document (id int primary key, edits int not null, "
				+ "fencing_token bigint not null default 0)");
		this.jdbc.execute("insert into document (id, edits) select id, 0 from generate_series(0, 3) id");
		// A class that is initialized holds the carrier, whoever does it: so that is over
		edit(2 * DOCUMENTS);
		refuse(DOCUMENTS);
	}

	@AfterEach
	void close() {
		this.executor.shutdownNow();
		this.context.close();
		this.redis.close();
	}

	@Test
	void noCarrierIsHeld() throws Exception {
		assertThat(pinned(() -> edit(TASKS))).isEmpty();
		assertThat(this.jdbc.queryForObject("select sum(edits) from document", Integer.class))
			.isEqualTo(TASKS + 2 * DOCUMENTS);
		assertThat(this.context.getBean(HeldLeases.class).calls()).isZero();
	}

	@Test
	void noCarrierIsHeldByWhoIsRefused() throws Exception {
		assertThat(pinned(() -> refuse(TASKS))).isEmpty();
		Awaitility.await()
			.until(() -> this.jdbc.queryForObject("select count(*) from fencing_rejection", Integer.class) == TASKS
					+ DOCUMENTS);
	}

	@Test
	void carrierThatIsHeldIsSeen() throws Exception {
		assertThat(pinned(() -> this.executor.submit(Holding::use).get())).isNotEmpty();
	}

	@Test
	void interruptedOwnerReleases() throws Exception {
		FencedLockTemplate locks = this.context.getBean(FencedLockTemplate.class);
		CountDownLatch running = new CountDownLatch(1);
		Thread[] owner = new Thread[1];
		Future<Boolean> interrupted = this.executor.submit(() -> {
			owner[0] = Thread.currentThread();
			locks.executeWithoutResult(REQUEST, (lease) -> {
				running.countDown();
				awaitInterruption();
			});
			return Thread.currentThread().isInterrupted();
		});
		running.await();
		owner[0].interrupt();
		assertThat(interrupted.get()).isTrue();
		assertThat(locks.tryExecute(REQUEST.waitTime(Duration.ZERO), (lease) -> "free")).contains("free");
	}

	private static void awaitInterruption() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void edit(int tasks) throws Exception {
		List<Future<?>> edits = new ArrayList<>();
		for (int i = 0; i < tasks; i++) {
			int id = i % DOCUMENTS;
			edits.add(this.executor.submit(() -> this.documents.edit(id)));
		}
		for (Future<?> edit : edits) {
			edit.get();
		}
	}

	private void refuse(int tasks) throws Exception {
		List<Future<?>> refusals = new ArrayList<>();
		for (int i = 0; i < tasks; i++) {
			LockRequest request = LockRequest.of("refused").key(i);
			refusals.add(this.executor.submit(
					() -> assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> refuse(request))));
		}
		for (Future<?> refusal : refusals) {
			refusal.get();
		}
	}

	private void refuse(LockRequest request) {
		this.context.getBean(FencedLockTemplate.class).executeWithoutResult(request, (lease) -> {
			this.context.getBean(GenerationRegistry.class)
				.register(lease.resource(), FencingTokens.of(lease.generation() + 1, 0), "successor");
			lease.assertCurrent();
		});
	}

	/**
	 * Return where a carrier was held by code of ours, or under it.
	 */
	private List<RecordedEvent> pinned(Code code) throws Exception {
		try (Recording recording = new Recording()) {
			recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
			recording.start();
			code.run();
			recording.stop();
			Path file = this.folder.resolve("recording.jfr");
			recording.dump(file);
			// The JDK's own loading of a class holds one, once for each class
			return events(file).filter((event) -> isIn(event, "dev.fencing.") && !isIn(event, "jdk.internal.loader."))
				.toList();
		}
	}

	private static boolean isIn(RecordedEvent event, String packages) {
		return event.getStackTrace()
			.getFrames()
			.stream()
			.anyMatch((frame) -> frame.getMethod().getType().getName().startsWith(packages));
	}

	private static Stream<RecordedEvent> events(Path file) throws IOException {
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
			.filter((event) -> event.getStackTrace() != null);
	}

	/**
	 * Compiled for a JDK that does not have it.
	 */
	private static ExecutorService virtualThreads() {
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private interface Code {

		void run() throws Exception;

	}

	/**
	 * Holds the carrier of who initializes it.
	 */
	static final class Holding {

		static {
			try {
				Thread.sleep(50);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		private Holding() {
		}

		static boolean use() {
			return true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Documents.class)
	static class Application extends Startup.Application {

	}

	static class Documents {

		private final JdbcTemplate jdbc;

		private final FencedJdbcTemplate fencedJdbc;

		Documents(JdbcTemplate jdbc, FencedJdbcTemplate fencedJdbc) {
			this.jdbc = jdbc;
			this.fencedJdbc = fencedJdbc;
		}

		@FencedLock(name = "document", key = "#id")
		@Transactional
		public void edit(int id) {
			Integer edits = this.jdbc.queryForObject("select edits from document where id = ?", Integer.class, id);
			this.fencedJdbc.update("update document set edits = ? where id = ?", edits + 1, id);
		}

	}

}
