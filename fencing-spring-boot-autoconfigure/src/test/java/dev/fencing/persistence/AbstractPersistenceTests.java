package dev.fencing.persistence;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.rejection.RejectionLog;
import dev.fencing.testsupport.PostgresTestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A framework whose SQL knows nothing of tokens, on a table without a column for them.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE,
		properties = { "fencing.provider=memory", "fencing.jdbc.initialize-schema=always" })
@Timeout(60)
abstract class AbstractPersistenceTests {

	private static final Runnable NO_PAUSE = () -> {
	};

	@Autowired
	private Documents documents;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private RejectionLog rejections;

	@DynamicPropertySource
	static void useDatabase(DynamicPropertyRegistry registry) {
		String url = PostgresTestServer.createDatabase();
		registry.add("spring.datasource.url", () -> url);
		registry.add("spring.datasource.username", () -> "postgres");
		registry.add("spring.datasource.password", () -> "postgres");
	}

	@BeforeEach
	void createTable() {
		this.jdbc.execute("drop table if exists document");
		this.jdbc.execute("create table document (id bigint primary key, title text not null)");
		this.jdbc.execute("insert into document values (1, 'draft')");
	}

	@Test
	void currentOwnersCommit() {
		this.documents.append(1, " +A", NO_PAUSE);
		this.documents.append(1, " +B", NO_PAUSE);
		assertThat(title()).isEqualTo("draft +A +B");
	}

	@Test
	void ownerThatWasPausedUntilItsSuccessorHadCommittedIsRefused() {
		long before = this.rejections.total();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(
				() -> this.documents.append(1, " +A", inAnotherThread(() -> this.documents.append(1, " +B", NO_PAUSE))))
			.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION));
		assertThat(title()).isEqualTo("draft +B");
		assertThat(this.rejections.total()).isEqualTo(before + 1);
	}

	@Test
	void controlWithoutLockLosesTheOther() {
		this.documents.appendUnlocked(1, " +A",
				inAnotherThread(() -> this.documents.appendUnlocked(1, " +B", NO_PAUSE)));
		assertThat(title()).isEqualTo("draft +A");
	}

	private static Runnable inAnotherThread(Runnable work) {
		return () -> CompletableFuture.runAsync(work).join();
	}

	private String title() {
		return this.jdbc.queryForObject("select title from document where id = 1", String.class);
	}

}
