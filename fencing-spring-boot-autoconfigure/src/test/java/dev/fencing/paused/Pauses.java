package dev.fencing.paused;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;

import org.springframework.stereotype.Component;

import dev.fencing.FencingContext;

/**
 * Stops the worker at the points that a command has named, until the test says go.
 */
@Component
class Pauses {

	private final WorkerConsole console;

	private Set<PausePoint> points = Set.of();

	private int item;

	Pauses(WorkerConsole console) {
		this.console = console;
	}

	/**
	 * Set where to pause from now on.
	 * @param points where
	 * @param item at which item of a payout
	 */
	void set(Set<PausePoint> points, int item) {
		this.points = points;
		this.item = item;
	}

	void at(PausePoint point) {
		if (this.points.contains(point)) {
			this.console.tell("at %s %d".formatted(point, FencingContext.require().generation()));
			awaitGo();
		}
	}

	void atItem(PausePoint point, int item) {
		if (this.item == item) {
			at(point);
		}
	}

	private void awaitGo() {
		try {
			String line = this.console.readLine();
			if (!WorkerConsole.GO.equals(line)) {
				throw new IllegalStateException("Not to go on, but: " + line);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
