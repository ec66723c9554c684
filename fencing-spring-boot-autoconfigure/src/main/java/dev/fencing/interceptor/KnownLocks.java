package dev.fencing.interceptor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import dev.fencing.FencingListener;

/**
 * The lock names in annotations. They are kept back until there is somebody to tell: to
 * ask for the listeners while beans are made would make those too early.
 */
final class KnownLocks {

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private volatile @Nullable FencingListener listener;

	void add(String name) {
		if (!this.names.add(name)) {
			return;
		}
		// Read after the name was added, so that one of the two sees the other
		FencingListener told = this.listener;
		if (told != null) {
			told.lockKnown(name);
		}
	}

	void tell(FencingListener listener) {
		this.listener = listener;
		this.names.forEach(listener::lockKnown);
	}

}
