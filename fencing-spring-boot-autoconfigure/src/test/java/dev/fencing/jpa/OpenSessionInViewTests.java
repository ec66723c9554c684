package dev.fencing.jpa;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

import dev.fencing.FencedLock;
import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingException;
import dev.fencing.LockRequest;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.Tally;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;

/**
 * An entity that a controller has loaded before the lock, through the persistence context
 * that Spring Boot keeps open for a whole request: it is not handed out again under the
 * lock, where another owner may have written the row since.
 */
@SpringBootTest(properties = { "fencing.provider=memory", "spring.datasource.generate-unique-name=true",
		"spring.jpa.hibernate.ddl-auto=create" })
class OpenSessionInViewTests {

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private LeaseProvider provider;

	@Autowired
	private FencedLockTemplate locks;

	@Autowired
	private HikariDataSource pool;

	@Autowired
	private TallyController controller;

	private MockMvc mockMvc;

	@BeforeEach
	void reset(@Autowired WebApplicationContext context) {
		this.mockMvc = MockMvcBuilders.webAppContextSetup(context).build();
		this.jdbc.update("delete from tally");
		this.jdbc.update("insert into tally (id, amount) values (1, 0)");
	}

	@Test
	void entityThatWasLoadedBeforeTheLockIsReadAnew() throws Exception {
		assertAnswer("/after-another-owner", "2");
		assertThat(amount()).isEqualTo(2);
	}

	@Test
	void controlWithoutLockLosesTheUpdateOfTheOther() throws Exception {
		assertAnswer("/after-another-owner-unlocked", "1");
		assertThat(amount()).isOne();
	}

	@Test
	void changesFromBeforeTheLockAreRefused() throws Exception {
		this.mockMvc.perform(post("/with-changes"))
			.andExpect(content().string(Matchers.allOf(Matchers.containsString("changes that are not flushed"),
					Matchers.containsString("'tally:1'"), Matchers.containsString("spring.jpa.open-in-view"))));
		assertThat(amount()).isZero();
		assertThat(this.provider.find("tally:1")).isNull();
	}

	@Test
	void contextWithoutEntitiesIsLeftAlone() throws Exception {
		assertAnswer("/with-reference", "still managed, 1");
	}

	@Test
	void severalLocksInOneRequest() throws Exception {
		assertAnswer("/twice", "2");
		assertThat(amount()).isEqualTo(2);
	}

	@Test
	@Timeout(60)
	void connectionOfTheRequestIsNotKeptWhileItWaitsForTheLease() throws Exception {
		HikariPoolMXBean pool = this.pool.getHikariPoolMXBean();
		CompletableFuture<Void> request = this.locks.execute(LockRequest.of("tally").key(1), (context) -> {
			CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> assertAnswer("/waiting", "1, then 1"));
			Awaitility.await().until(this.controller.hasRead::get);
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.untilAsserted(() -> assertThat(pool.getActiveConnections()).isZero());
			assertThat(waiting).isNotDone();
			return waiting;
		});
		request.get();
		assertThat(amount()).isOne();
		assertThat(pool.getActiveConnections()).isZero();
	}

	@Test
	void readThatIsNotOverKeepsItsConnection() throws Exception {
		assertAnswer("/streaming", "0, then 1");
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	private void assertAnswer(String path, String answer) {
		assertThatNoException().isThrownBy(() -> this.mockMvc.perform(post(path)).andExpect(content().string(answer)));
	}

	private Integer amount() {
		return this.jdbc.queryForObject("select amount from tally where id = 1", Integer.class);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@EntityScan(basePackageClasses = Tally.class)
	@Import({ Tallies.class, TallyController.class })
	static class Application {

	}

	static class Tallies {

		@PersistenceContext
		private EntityManager entityManager;

		@FencedLock(name = "tally", key = "#id")
		@Transactional
		public int increment(long id) {
			return incrementUnlocked(id);
		}

		@Transactional
		public int incrementUnlocked(long id) {
			Tally tally = this.entityManager.find(Tally.class, id);
			tally.setAmount(tally.getAmount() + 1);
			return tally.getAmount();
		}

	}

	@RestController
	static class TallyController {

		final AtomicBoolean hasRead = new AtomicBoolean();

		private final Tallies tallies;

		@PersistenceContext
		private EntityManager entityManager;

		TallyController(Tallies tallies) {
			this.tallies = tallies;
		}

		@PostMapping("/after-another-owner")
		String afterAnotherOwner() throws Exception {
			loadAndLetAnotherOwnerCommit();
			return String.valueOf(this.tallies.increment(1));
		}

		@PostMapping("/after-another-owner-unlocked")
		String afterAnotherOwnerUnlocked() throws Exception {
			loadAndLetAnotherOwnerCommit();
			return String.valueOf(this.tallies.incrementUnlocked(1));
		}

		@PostMapping("/with-changes")
		String withChanges() {
			this.entityManager.find(Tally.class, 1L).setAmount(99);
			return String.valueOf(this.tallies.increment(1));
		}

		@PostMapping("/with-reference")
		String withReference() {
			Tally reference = this.entityManager.getReference(Tally.class, 1L);
			int amount = this.tallies.increment(1);
			return (this.entityManager.contains(reference) ? "still managed, " : "detached, ") + amount;
		}

		@PostMapping("/twice")
		String twice() {
			this.tallies.increment(1);
			return String.valueOf(this.tallies.increment(1));
		}

		@PostMapping("/waiting")
		String waiting() {
			assertThat(this.entityManager.find(Tally.class, 1L).getAmount()).isZero();
			this.hasRead.set(true);
			int amount = this.tallies.increment(1);
			this.entityManager.clear();
			return amount + ", then " + this.entityManager.find(Tally.class, 1L).getAmount();
		}

		@PostMapping("/streaming")
		String streaming() {
			try (Stream<Integer> amounts = this.entityManager.createQuery("select amount from Tally", Integer.class)
				.getResultStream()) {
				Iterator<Integer> read = amounts.iterator();
				assertThat(read.hasNext()).isTrue();
				int amount = this.tallies.increment(1);
				return read.next() + ", then " + amount;
			}
		}

		@ExceptionHandler
		String refused(FencingException failure) {
			return failure.getMessage();
		}

		private void loadAndLetAnotherOwnerCommit() throws Exception {
			assertThat(this.entityManager.find(Tally.class, 1L).getAmount()).isZero();
			CompletableFuture.supplyAsync(() -> this.tallies.increment(1)).get(30, TimeUnit.SECONDS);
		}

	}

}
