package dev.fencing.testsupport;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where a {@link TcpProxy} holds back what goes in one direction.
 */
final class ProxyGate {

	private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(30);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final StringBuilder held = new StringBuilder();

	private boolean shut;

	void shut() {
		this.lock.lock();
		try {
			this.shut = true;
			this.held.setLength(0);
		}
		finally {
			this.lock.unlock();
		}
	}

	void open() {
		this.lock.lock();
		try {
			this.shut = false;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Note that something has arrived.
	 */
	void arrived(byte[] bytes) {
		this.lock.lock();
		try {
			if (this.shut) {
				this.held.append(new String(bytes, StandardCharsets.ISO_8859_1));
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wait until something may go on.
	 */
	void pass() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (this.shut) {
				this.changed.await();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void awaitHeld(String text) {
		this.lock.lock();
		try {
			long left = LONGEST_WAIT;
			while (this.held.indexOf(text) < 0) {
				if (left <= 0) {
					throw new AssertionError("'%s' has not come. What has: %s".formatted(text, this.held));
				}
				left = this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.lock.unlock();
		}
	}

}
