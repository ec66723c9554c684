package dev.fencing.benchmark.peer;

import java.time.Duration;

/**
 * A lock of one process, as its users use it.
 *
 * @since 0.1.0
 */
public interface Peer extends AutoCloseable {

	/**
	 * Take a lock.
	 * @param key what to lock; never null
	 * @param wait how long to wait for it at most; never null
	 * @return what has been taken; never null
	 * @throws IllegalStateException if it was not free in time
	 */
	Held acquire(String key, Duration wait);

	/**
	 * Do something under a lock.
	 * @param key what to lock; never null
	 * @param wait how long to wait for it at most, where the usual call can be told;
	 * never null
	 * @param work what to do; never null
	 * @throws IllegalStateException if it was not free in time
	 */
	default void locked(String key, Duration wait, Runnable work) {
		Held held = acquire(key, wait);
		try {
			work.run();
		}
		finally {
			held.release();
		}
	}

	/**
	 * Return the Redis key that is there while a lock is held, and no longer.
	 * @param key what is locked; never null
	 * @return the Redis key; never null
	 */
	String redisKey(String key);

	@Override
	void close();

	/**
	 * A lock that has been taken, to be given back by the same thread.
	 *
	 * @since 0.1.0
	 */
	interface Held {

		/**
		 * Give it back.
		 */
		void release();

	}

}
