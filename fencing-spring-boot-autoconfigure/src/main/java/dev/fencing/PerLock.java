package dev.fencing;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Something that a {@link FencingListener} keeps for each lock name: meters, totals. Lock
 * names come from code and are few. One that is made of a key by mistake must fill
 * neither the memory nor a monitoring system: after {@value #MAX_LOCKS} names all further
 * ones share one value. Thread-safe.
 *
 * @param <T> what is kept
 * @since 0.1.0
 */
public final class PerLock<T> {

	/**
	 * How many lock names have a value of their own.
	 */
	public static final int MAX_LOCKS = 1000;

	/**
	 * The lock name of the value that all further ones share.
	 */
	public static final String OTHER_LOCKS = "(other)";

	private static final Log logger = LogFactory.getLog(PerLock.class);

	private final Map<String, T> locks = new ConcurrentHashMap<>();

	private final ReentrantLock adding = new ReentrantLock();

	private final Function<String, T> factory;

	/**
	 * Create a keeper.
	 * @param factory makes the value of a lock name; never null. May block
	 */
	public PerLock(Function<String, T> factory) {
		this.factory = factory;
	}

	/**
	 * Return what is kept for a lock name, made when it is asked for first.
	 * @param lock the lock name; never null
	 * @return the value; never null
	 */
	public T get(String lock) {
		T value = this.locks.get(lock);
		return (value != null) ? value : add(lock);
	}

	/**
	 * Return what is kept.
	 * @return the values by lock name, in the order of the names; never null
	 */
	public SortedMap<String, T> all() {
		return new TreeMap<>(this.locks);
	}

	private T add(String lock) {
		this.adding.lock();
		try {
			if (this.locks.size() < MAX_LOCKS || this.locks.containsKey(lock)) {
				return made(lock);
			}
			if (!this.locks.containsKey(OTHER_LOCKS)) {
				logger.warn(("There are more than %d lock names: further ones are counted together as lock '%s'. "
						+ "A lock name is one of few values, what tells resources apart is the key")
					.formatted(MAX_LOCKS, OTHER_LOCKS));
			}
			return made(OTHER_LOCKS);
		}
		finally {
			this.adding.unlock();
		}
	}

	// Not by computeIfAbsent: the factory may block, and a map's monitor would hold the
	// thread that carries a virtual one
	private T made(String lock) {
		T value = this.locks.get(lock);
		if (value == null) {
			value = this.factory.apply(lock);
			this.locks.put(lock, value);
		}
		return value;
	}

}
