package dev.fencing.interceptor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

import dev.fencing.FencingListener;

/**
 * The lock names in annotations. They are kept back until all singletons are there, so
 * that asking for the listeners does not create those too early.
 */
final class KnownLocks {

	private static final Log logger = LogFactory.getLog(KnownLocks.class);

	private final Set<String> names = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Iterable<FencingListener> listeners;

	void add(String name) {
		if (!this.names.add(name)) {
			return;
		}
		Iterable<FencingListener> told = this.listeners;
		if (told != null) {
			tell(told, name);
		}
	}

	void tell(ObjectProvider<FencingListener> provider) {
		Iterable<FencingListener> told = provider.orderedStream().toList();
		this.listeners = told;
		this.names.forEach((name) -> tell(told, name));
	}

	private static void tell(Iterable<FencingListener> listeners, String name) {
		for (FencingListener listener : listeners) {
			try {
				listener.lockKnown(name);
			}
			catch (RuntimeException ex) {
				logger.warn("A listener failed to take notice of the lock '" + name + "'", ex);
			}
		}
	}

}
