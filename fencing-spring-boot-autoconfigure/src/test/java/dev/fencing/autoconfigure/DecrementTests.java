package dev.fencing.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two threads read a number and write it back, less one, a thousand times under a lock:
 * none of it is lost, and nothing is refused.
 */
@Timeout(120)
class DecrementTests {

	private static final int START = 5000;

	private static final int THREADS = 2;

	private static final int EACH = 500;

	private final RedisTestServer redis = RedisTestServer.started();

	private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

	private ConfigurableApplicationContext context;

	private Stock stock;

	@BeforeEach
	void start() {
		this.context = Startup.start(Application.class, "--spring.data.redis.port=" + this.redis.port(),
				"--spring.data.redis.host=127.0.0.1", "--fencing.jdbc.initialize-schema=always",
				"--fencing.lock.wait-time=60s");
		JdbcTemplate jdbc = this.context.getBean(JdbcTemplate.class);
		jdbc.execute("create table stock (id bigint primary key, amount int not null)");
		jdbc.update("insert into stock values (1, ?)", START);
		this.stock = this.context.getBean(Stock.class);
	}

	@AfterEach
	void stop() {
		this.pool.shutdownNow();
		this.context.close();
		this.redis.close();
	}

	@Test
	void everyDecrementCounts() {
		CountDownLatch ready = new CountDownLatch(THREADS);
		CompletableFuture<?>[] running = new CompletableFuture<?>[THREADS];
		for (int i = 0; i < THREADS; i++) {
			running[i] = CompletableFuture.runAsync(() -> decrement(ready), this.pool);
		}
		CompletableFuture.allOf(running).orTimeout(100, TimeUnit.SECONDS).join();
		assertThat(this.stock.amount(1)).isEqualTo(START - THREADS * EACH);
		assertThat(this.context.getBean(RejectionLog.class).total()).isZero();
	}

	private void decrement(CountDownLatch ready) {
		ready.countDown();
		try {
			assertThat(ready.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		for (int i = 0; i < EACH; i++) {
			this.stock.takeOne(1);
		}
	}

	static class Stock {

		private final JdbcTemplate jdbc;

		Stock(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@FencedLock(name = "stock", key = "#id")
		@Transactional
		public void takeOne(long id) {
			this.jdbc.update("update stock set amount = ? where id = ?", amount(id) - 1, id);
		}

		public int amount(long id) {
			Integer amount = this.jdbc.queryForObject("select amount from stock where id = ?", Integer.class, id);
			assertThat(amount).isNotNull();
			return amount;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application extends Startup.Application {

		@Bean
		DataSource dataSource() {
			return PostgresTestServer.pool(PostgresTestServer.createDatabase(), 5);
		}

		@Bean
		Stock stock(JdbcTemplate jdbc) {
			return new Stock(jdbc);
		}

	}

}
