package dev.fencing.benchmark.database;

import java.time.Duration;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencingTokens;
import dev.fencing.benchmark.peer.LettucePeer;

/**
 * Writes under a lock, a registration and a guard that are written by hand, with the same
 * protection: what the library would have to be as fast as.
 *
 * @since 0.1.0
 */
public class HandWrittenAccounts implements Accounts {

	/**
	 * Its generation registry.
	 */
	static final String REGISTRY = "hand_written_generation";

	private static final String REGISTER = """
			update %s set fencing_token = ?, owner = ?, registered_at = current_timestamp \
			where resource_id = ? and fencing_token < ?""".formatted(REGISTRY);

	private static final String CREATE = """
			insert into %s (resource_id, fencing_token, owner, registered_at) \
			values (?, 0, '-', current_timestamp) on conflict do nothing""".formatted(REGISTRY);

	private static final String UPDATE = """
			update account set balance = balance + 1, fencing_token = ? where id = ? and fencing_token < ?""";

	private static final String GUARD = "select owner, fencing_token from %s where resource_id = ? for update"
		.formatted(REGISTRY);

	private final LettucePeer locks;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transactions;

	/**
	 * Create the service.
	 * @param locks gives out the locks; never null
	 * @param jdbc writes; never null
	 * @param transactionManager commits; never null
	 */
	public HandWrittenAccounts(LettucePeer locks, JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.locks = locks;
		this.jdbc = jdbc;
		this.transactions = new TransactionTemplate(transactionManager);
	}

	@Override
	public void deposit(long id) {
		String resource = "account:" + id;
		LettucePeer.Lease lease = this.locks.acquire(resource, Duration.ZERO);
		boolean release = true;
		try {
			this.transactions.executeWithoutResult((status) -> register(resource, lease));
			this.transactions.executeWithoutResult((status) -> {
				write(id, FencingTokens.of(lease.generation(), 1));
				guard(resource, lease);
			});
		}
		catch (TransactionSystemException ex) {
			// The commit may be under way still: the lease runs out
			release = false;
			throw ex;
		}
		finally {
			if (release) {
				lease.release();
			}
		}
	}

	private void register(String resource, LettucePeer.Lease lease) {
		if (registered(resource, lease)) {
			return;
		}
		this.jdbc.update(CREATE, resource);
		if (!registered(resource, lease)) {
			throw new IllegalStateException("A later owner is registered for " + resource);
		}
	}

	private boolean registered(String resource, LettucePeer.Lease lease) {
		long token = FencingTokens.of(lease.generation(), 0);
		return this.jdbc.update(REGISTER, token, lease.nonce(), resource, token) > 0;
	}

	private void write(long id, long token) {
		if (this.jdbc.update(UPDATE, token, id, token) != 1) {
			throw new IllegalStateException("A later owner has written account " + id);
		}
	}

	private void guard(String resource, LettucePeer.Lease lease) {
		Boolean current = this.jdbc.query(GUARD, (row) -> row.next() && row.getString(1).equals(lease.nonce()),
				resource);
		if (!Boolean.TRUE.equals(current)) {
			throw new IllegalStateException("A later owner is registered for " + resource);
		}
	}

}
