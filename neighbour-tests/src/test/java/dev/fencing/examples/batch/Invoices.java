package dev.fencing.examples.batch;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ItemWriter;

import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Sends invoices, and freezes in the second chunk when it is told to.
 */
class Invoices implements ItemWriter<Long> {

	private final FencedJdbcTemplate fencedJdbc;

	private volatile @Nullable Freeze freeze;

	private final CountDownLatch frozen = new CountDownLatch(1);

	private final CountDownLatch resumed = new CountDownLatch(1);

	Invoices(FencedJdbcTemplate fencedJdbc) {
		this.fencedJdbc = fencedJdbc;
	}

	@Override
	public void write(Chunk<? extends Long> ids) throws InterruptedException {
		boolean second = ids.getItems().contains(3L);
		if (second && this.freeze == Freeze.BEFORE_THE_WRITE) {
			freeze();
		}
		this.fencedJdbc.batchUpdate("update invoice set sent = sent + 1 where id = ?",
				ids.getItems().stream().map((id) -> new Object[] { id }).toList());
		if (second && this.freeze == Freeze.BEFORE_THE_COMMIT) {
			freeze();
		}
	}

	private void freeze() throws InterruptedException {
		this.freeze = null;
		this.frozen.countDown();
		if (!this.resumed.await(30, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Nobody has resumed it");
		}
	}

	void freezeOnce(Freeze freeze) {
		this.freeze = freeze;
	}

	void awaitFrozen() throws InterruptedException {
		if (!this.frozen.await(30, TimeUnit.SECONDS)) {
			throw new IllegalStateException("It was never frozen");
		}
	}

	void resume() {
		this.resumed.countDown();
	}

	/**
	 * Where the writer stops, and what the successor can write meanwhile: the rows that
	 * an open transaction has written are locked by the database.
	 */
	enum Freeze {

		BEFORE_THE_WRITE("update invoice set checked = true"),

		BEFORE_THE_COMMIT("update invoice set checked = true where id > 4");

		private final String successor;

		Freeze(String successor) {
			this.successor = successor;
		}

		String successor() {
			return this.successor;
		}

	}

}
