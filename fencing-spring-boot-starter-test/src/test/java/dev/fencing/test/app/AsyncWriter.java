package dev.fencing.test.app;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Writes on a thread that has no lease.
 */
@Component
class AsyncWriter {

	private final JdbcTemplate jdbc;

	AsyncWriter(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	@Async
	@Transactional
	public CompletableFuture<@Nullable Void> write(long id, String title) {
		this.jdbc.update("update document set title = ? where id = ?", title, id);
		return CompletableFuture.completedFuture(null);
	}

}
