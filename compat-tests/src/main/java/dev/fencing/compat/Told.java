package dev.fencing.compat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

import dev.fencing.event.GenerationRejected;
import dev.fencing.event.LeaseAcquired;

/**
 * Notes what the application is told of leases, by events and by observations.
 */
@Component
public class Told implements ObservationHandler<Observation.Context> {

	private final List<Object> events = new CopyOnWriteArrayList<>();

	private final List<String> observations = new CopyOnWriteArrayList<>();

	@EventListener({ LeaseAcquired.class, GenerationRejected.class })
	public void on(Object event) {
		this.events.add(event);
	}

	@Override
	public void onStop(Observation.Context context) {
		String name = context.getName();
		if (name != null && name.startsWith("fence.")) {
			this.observations.add(name);
		}
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return true;
	}

	public List<Object> events() {
		return this.events;
	}

	public List<String> observations() {
		return this.observations;
	}

	public void clear() {
		this.events.clear();
		this.observations.clear();
	}

}
