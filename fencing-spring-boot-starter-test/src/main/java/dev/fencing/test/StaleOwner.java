package dev.fencing.test;

import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Shows what becomes of what a stale owner writes: runs locked code up to a point, lets
 * its lease pass on and a successor finish, lets the first owner go on, and hands back
 * what happened. Nothing in it waits for a lease to run out.
 *
 * <pre class="code">
 * &#64;SpringBootTest
 * &#64;AutoConfigureFencing
 * class DocumentServiceTests {
 *
 *     &#64;Autowired
 *     StaleOwner staleOwner;
 *
 *     &#64;Autowired
 *     DocumentService service;
 *
 *     &#64;Test
 *     void staleOwnerIsRejected() {
 *         assertThat(this.staleOwner.of(() -&gt; this.service.rename(42, "A"))
 *             .pausedBefore(PausePoint.COMMIT)
 *             .successor(() -&gt; this.service.rename(42, "B"))
 *             .run()).rejected().by("transaction").leftNothingIn("document");
 *     }
 *
 * }
 * </pre>
 *
 * <p>
 * All leases of the first owner's thread are taken back in the lease provider, behind its
 * back, which is what an owner finds after a pause that was longer than its lease. The
 * first owner runs on the calling thread, or wherever the code that is called takes the
 * lease; its successor on a thread of its own. What the code starts on further threads
 * belongs to the run as far as the code waits for it.
 *
 * <p>
 * The test itself must not be transactional: a lease is not taken inside a transaction.
 * The connection pool needs a connection for each owner, and one to compare the tables.
 * One run at a time.
 *
 * @since 0.1.0
 */
public final class StaleOwner {

	private final StaleOwnerStage stage;

	StaleOwner(StaleOwnerStage stage) {
		this.stage = stage;
	}

	/**
	 * Begin with what the first owner does.
	 * @param action calls the code that takes the lease; never null
	 * @return what is left to say; never null
	 */
	public Scenario of(Action action) {
		Assert.notNull(action, "'action' must not be null");
		return new Scenario(action);
	}

	/**
	 * What an owner does.
	 */
	@FunctionalInterface
	public interface Action {

		/**
		 * Do it.
		 * @throws Exception if it fails
		 */
		void run() throws Exception;

	}

	/**
	 * What happens in a run.
	 */
	public final class Scenario {

		private final Action first;

		private PausePoint point = PausePoint.COMMIT;

		private @Nullable Action successor;

		private Duration timeout = Duration.ofSeconds(30);

		private Set<String> watched = Set.of();

		private @Nullable String lock;

		private Scenario(Action first) {
			this.first = first;
		}

		/**
		 * Say where the first owner is paused. Without this, it is before its commit.
		 * @param point the point; never null
		 * @return this
		 */
		public Scenario pausedBefore(PausePoint point) {
			Assert.notNull(point, "'point' must not be null");
			this.point = point;
			return this;
		}

		/**
		 * Say what the successor does while the first owner is paused.
		 * @param successor calls code that takes a lease on the same resource; never null
		 * @return this
		 */
		public Scenario successor(Action successor) {
			Assert.notNull(successor, "'successor' must not be null");
			this.successor = successor;
			return this;
		}

		/**
		 * Say which lock it is about, where something else in the application takes
		 * leases as well. Without this, the first owner is who takes a lease first.
		 * @param name the lock name; never null
		 * @return this
		 */
		public Scenario onLock(String name) {
			Assert.notNull(name, "'name' must not be null");
			this.lock = name;
			return this;
		}

		/**
		 * Say which tables are compared. Without this, it is every table of every data
		 * source; the registry is left out.
		 * @param tables their names, in upper or lower case, with their schema or
		 * without; never empty
		 * @return this
		 */
		public Scenario watching(String... tables) {
			Assert.notEmpty(tables, "Name at least one table");
			this.watched = Set.of(tables);
			return this;
		}

		/**
		 * Say how long the successor may take. Without this, it is 30 seconds.
		 * @param timeout the time; never null
		 * @return this
		 */
		public Scenario timeout(Duration timeout) {
			Assert.notNull(timeout, "'timeout' must not be null");
			this.timeout = timeout;
			return this;
		}

		/**
		 * Run it.
		 * @return what happened; never null
		 * @throws IllegalStateException if it shows nothing: the first owner took no
		 * lease or never came to the point, the successor failed, took no lease on the
		 * resource or did not end in time, or the calling thread has a transaction
		 */
		public StaleOwnerResult run() {
			Assert.state(this.successor != null, "Say what the successor does: successor(() -> ...)");
			return StaleOwner.this.stage.run(this.first, new Script(this.point, this.successor, this.timeout,
					this.watched, this.lock, StaleOwner.this.stage::isOwnTable));
		}

	}

	/**
	 * What happens from the point on.
	 *
	 * @param point where the first owner is paused
	 * @param successor what its successor does then
	 * @param timeout how long that may take
	 * @param watched the tables that are compared, none for all
	 * @param lock the name of the lock that the first owner takes; null for any
	 * @param ownTables tells what mentions a table of this library
	 */
	record Script(PausePoint point, Action successor, Duration timeout, Set<String> watched, @Nullable String lock,
			Predicate<String> ownTables) {

		boolean isAbout(String lockName) {
			return this.lock == null || this.lock.equals(lockName);
		}

	}

}
