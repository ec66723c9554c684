package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.LeaseProviderException;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.PostgresTestServer;
import dev.fencing.testsupport.RedisTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A Redis that goes away: nothing begins without a lease, and what has begun is finished.
 */
class RedisOutageTests {

	private final RedisTestServer redis = RedisTestServer.started();

	private final ConfigurableApplicationContext context = Startup.start(Application.class,
			"--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + this.redis.port(),
			"--spring.datasource.url=" + PostgresTestServer.createDatabase(), "--spring.datasource.username=postgres",
			"--spring.datasource.password=postgres", "--fencing.jdbc.initialize-schema=always");

	private final JdbcTemplate jdbc = this.context.getBean(JdbcTemplate.class);

	private final Documents documents = this.context.getBean(Documents.class);

	@BeforeEach
	void connect() {
		this.jdbc.execute("create table document (title varchar(40))");
		this.jdbc.execute("insert into document values ('old')");
		retried("first");
	}

	@AfterEach
	void close() {
		this.context.close();
		this.redis.close();
	}

	@Test
	void bodyDoesNotRunWithoutRedis() {
		this.redis.stop();
		AtomicBoolean ran = new AtomicBoolean();
		long start = System.nanoTime();
		assertThatExceptionOfType(LeaseProviderException.class)
			.isThrownBy(() -> this.documents.rename("lost", () -> ran.set(true)))
			.withMessageContaining("127.0.0.1:" + this.redis.port());
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
		assertThat(ran).isFalse();
		assertThat(title()).isEqualTo("first");
		assertThat(this.context.getBean(RejectionLog.class).total()).isZero();
	}

	@Test
	void bodyThatHasBegunIsCommittedWithoutRedis() {
		assertThat(this.documents.rename("second", this.redis::stop)).isEqualTo("renamed to second");
		assertThat(title()).isEqualTo("second");
		assertThat(this.context.getBean(RejectionLog.class).total()).isZero();
	}

	@Test
	void nextOwnerWorksWhenRedisIsBackAndEmpty() {
		this.documents.rename("second", this.redis::stop);
		this.redis.start();
		retried("third");
		assertThat(title()).isEqualTo("third");
		assertThat(this.context.getBean(RejectionLog.class).total()).isZero();
	}

	/**
	 * Call until Lettuce has its connection.
	 */
	private void retried(String title) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.ignoreException(LeaseProviderException.class)
			.untilAsserted(() -> assertThat(this.documents.rename(title, () -> {
			})).isEqualTo("renamed to " + title));
	}

	private String title() {
		return this.jdbc.queryForObject("select title from document", String.class);
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Documents.class)
	static class Application extends Startup.Application {

	}

	static class Documents {

		private final JdbcTemplate jdbc;

		Documents(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@FencedLock("document")
		@Transactional
		public String rename(String title, Runnable more) {
			this.jdbc.update("update document set title = ?", title);
			more.run();
			return "renamed to " + title;
		}

	}

}
