package dev.fencing.sample.race;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.stereotype.Component;

import dev.fencing.FencingListener;
import dev.fencing.Rejection;

/**
 * Counts what was refused on the resources of the races that are running.
 */
@Component
class RaceRejections implements FencingListener {

	private final Map<String, AtomicLong> watched = new ConcurrentHashMap<>();

	void watch(String resource) {
		this.watched.put(resource, new AtomicLong());
	}

	long count(String resource) {
		AtomicLong count = this.watched.get(resource);
		return (count != null) ? count.get() : 0;
	}

	void forget(String resource) {
		this.watched.remove(resource);
	}

	@Override
	public void rejected(Rejection rejection) {
		AtomicLong count = this.watched.get(rejection.resource());
		if (count != null) {
			count.incrementAndGet();
		}
	}

}
