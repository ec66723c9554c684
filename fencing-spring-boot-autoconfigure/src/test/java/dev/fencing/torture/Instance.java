package dev.fencing.torture;

import com.zaxxer.hikari.HikariDataSource;

import dev.fencing.FencedLockTemplate;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.TestDatabase;

/**
 * An instance of an application, with a pool and leases of its own.
 */
final class Instance implements AutoCloseable {

	private final FencedStack stack;

	private final FencedLockTemplate locks;

	private final Rejections rejections = new Rejections();

	private final Body body;

	/**
	 * Create an instance.
	 * @param pool its connections, closed with it
	 * @param provider its leases
	 * @param protection what protects its work
	 */
	Instance(HikariDataSource pool, LeaseProvider provider, Protection protection) {
		boolean fenced = protection == Protection.FENCED;
		this.stack = FencedStack.on(pool, TestDatabase.POSTGRESQL, provider, fenced);
		this.locks = this.stack.locks(this.rejections.listener());
		this.body = fenced
				? new FencedBody(this.stack.jdbc(),
						new FencedJdbcTemplate(this.stack.fenced(), this.stack.connections(), this.stack.registry(),
								"fencing_token"))
				: new ControlBody(this.stack.jdbc(), this.stack.registry(), protection);
	}

	FencedStack stack() {
		return this.stack;
	}

	FencedLockTemplate locks() {
		return this.locks;
	}

	Rejections rejections() {
		return this.rejections;
	}

	Body body() {
		return this.body;
	}

	@Override
	public void close() {
		this.stack.close();
	}

}
