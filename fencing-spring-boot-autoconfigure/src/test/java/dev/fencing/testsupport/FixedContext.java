package dev.fencing.testsupport;

import java.time.Duration;

import dev.fencing.FencingContext;

/**
 * An acquisition that only knows what it is called, for tests of listeners.
 *
 * @param name the lock name
 * @param resource the resource
 * @param generation the generation
 */
public record FixedContext(String name, String resource, long generation) implements FencingContext {

	@Override
	public long nextToken() {
		throw new UnsupportedOperationException();
	}

	@Override
	public Duration remaining() {
		return Duration.ZERO;
	}

	@Override
	public boolean isLost() {
		return false;
	}

	@Override
	public void assertCurrent() {
		throw new UnsupportedOperationException();
	}

}
