package dev.fencing.paused;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import dev.fencing.FencingTokens;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisMonitor;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Worker A, which gets frozen, and worker B, which takes over, on one Redis and one
 * PostgreSQL.
 */
final class WorkerPair implements AutoCloseable {

	private static final String TABLES = """
			create table document (id bigint primary key, title varchar(100) not null,
				fencing_token bigint not null default 0);
			create table payment (id bigint generated always as identity primary key, batch bigint not null,
				item int not null, payer varchar(10) not null, fencing_token bigint not null default 0);
			""";

	private final AtomicLong numbers = new AtomicLong();

	private final RedisTestServer redis = RedisTestServer.started();

	private final RedisClient redisClient = RedisClient.create(RedisURI.create("127.0.0.1", this.redis.port()));

	private final StatefulRedisConnection<String, String> redisConnection = this.redisClient.connect();

	private final HikariDataSource pool;

	private final JdbcTemplate jdbc;

	private final WorkerProcess a;

	private final WorkerProcess b;

	private WorkerPair(String... properties) {
		String url = PostgresTestServer.createDatabase();
		this.pool = PostgresTestServer.pool(url, 2);
		this.jdbc = new JdbcTemplate(this.pool);
		new ResourceDatabasePopulator(new ClassPathResource("dev/fencing/jdbc/schema-postgresql.sql"),
				new ByteArrayResource(TABLES.getBytes()))
			.execute(this.pool);
		List<String> all = new ArrayList<>(List.of("spring.datasource.url=" + url,
				"spring.datasource.username=postgres", "spring.datasource.password=postgres",
				"spring.datasource.hikari.maximum-pool-size=3", "spring.data.redis.host=127.0.0.1",
				"spring.data.redis.port=" + this.redis.port(), "spring.data.redis.repositories.enabled=false",
				"spring.jpa.open-in-view=false", "spring.main.banner-mode=off", "logging.level.dev.fencing=info",
				"spring.main.log-startup-info=false", "server.address=127.0.0.1", "server.port=0",
				"management.endpoints.web.exposure.include=fencing,prometheus", "fencing.lock.wait-time=30s",
				"fencing.jdbc.registration-timeout=30s", "fencing.redis.durability-check=off"));
		all.addAll(List.of(properties));
		// Only A is frozen: B keeps its lease however busy the machine is
		this.a = WorkerProcess.start("A", "600ms", all);
		this.b = WorkerProcess.start("B", "60s", all);
	}

	/**
	 * Start both.
	 * @param properties in addition to the usual ones, as {@code name=value}
	 * @return the workers, to be closed by the caller
	 */
	static WorkerPair start(String... properties) {
		WorkerPair workers = new WorkerPair(properties);
		try {
			workers.a.awaitReady();
			workers.b.awaitReady();
			return workers;
		}
		catch (Throwable ex) {
			workers.close();
			throw ex;
		}
	}

	WorkerProcess a() {
		return this.a;
	}

	WorkerProcess b() {
		return this.b;
	}

	/**
	 * Return what A tells its operators.
	 */
	Actuator actuator() {
		return this.a.actuator();
	}

	/**
	 * Create a document whose title is "draft".
	 * @return its id
	 */
	long newDocument() {
		long id = this.numbers.incrementAndGet();
		this.jdbc.update("insert into document (id, title) values (?, 'draft')", id);
		return id;
	}

	long newBatch() {
		return this.numbers.incrementAndGet();
	}

	String title(long id) {
		String title = this.jdbc.queryForObject("select title from document where id = ?", String.class, id);
		return String.valueOf(title);
	}

	/**
	 * Return who paid the items of a batch.
	 * @param batch the batch
	 * @return a line like {@code 1 A} for each payment, in the order of items
	 */
	List<String> payments(long batch) {
		return this.jdbc.queryForList("select item || ' ' || payer from payment where batch = ? order by item, payer",
				String.class, batch);
	}

	/**
	 * Return the registered token of a resource.
	 * @param resource the resource
	 * @return the token; 0 if none is
	 */
	long registeredToken(String resource) {
		return this.jdbc
			.queryForList("select fencing_token from fencing_generation where resource_id = ?", Long.class, resource)
			.stream()
			.mapToLong(Long::longValue)
			.sum();
	}

	/**
	 * Return the generation of the lease in Redis.
	 * @param resource the resource
	 * @return the generation; null if there is no lease
	 */
	@Nullable Long leasedGeneration(String resource) {
		String lease = this.redisConnection.sync().get(leaseKey(resource));
		return (lease != null) ? Long.valueOf(lease.substring(0, lease.indexOf(':'))) : null;
	}

	static String leaseKey(String resource) {
		return "{fencing}:lease:" + resource;
	}

	/**
	 * Listen to what Redis runs.
	 * @return the monitor, to be closed by the caller
	 */
	RedisMonitor monitor() {
		return RedisMonitor.of(this.redis);
	}

	/**
	 * Freeze A at a pause, and wait until its lease is gone: nobody renews it any more.
	 * @param resource what it has leased
	 * @param command what it does
	 * @param point where to freeze it
	 * @return the generation that it had
	 */
	long freezeAt(String resource, String command, PausePoint point) {
		this.a.send(command);
		long generation = this.a.awaitPause(point);
		this.a.freeze();
		eventually().until(() -> leasedGeneration(resource) == null);
		return generation;
	}

	/**
	 * Wake A up behind the pause at which it was frozen.
	 */
	void wakeUp() {
		this.a.go();
		this.a.thaw();
	}

	/**
	 * Wait until a later owner has registered.
	 * @param resource the resource
	 * @param generation the generation of the earlier owner
	 */
	void awaitRegistrationAfter(String resource, long generation) {
		eventually().until(() -> FencingTokens.generation(registeredToken(resource)) > generation);
	}

	/**
	 * Wait until a transaction waits for a row that another one has locked.
	 */
	void awaitRowLock() {
		eventually().until(() -> this.jdbc.queryForObject("""
				select count(*) from pg_stat_activity
				where wait_event_type = 'Lock' and datname = current_database()""", Integer.class) == 1);
	}

	/**
	 * Return how many transactions are open that nobody works in.
	 */
	int idleTransactions() {
		Integer count = this.jdbc.queryForObject("""
				select count(*) from pg_stat_activity
				where state like 'idle in transaction%' and datname = current_database()""", Integer.class);
		return (count != null) ? count : -1;
	}

	/**
	 * End the session of the transaction that is open and that nobody works in, as
	 * {@code idle_in_transaction_session_timeout} does.
	 */
	void endIdleTransaction() {
		List<Boolean> ended = this.jdbc.queryForList("""
				select pg_terminate_backend(pid) from pg_stat_activity
				where state = 'idle in transaction' and datname = current_database()""", Boolean.class);
		assertThat(ended).containsExactly(true);
	}

	static ConditionFactory eventually() {
		return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
	}

	/**
	 * Bring both workers to the end of their commands.
	 */
	void settle() {
		this.a.settle();
		this.b.settle();
	}

	@Override
	public void close() {
		try (this.redis; this.redisClient; this.pool; this.b; this.a) {
			this.redisConnection.close();
		}
	}

}
