package dev.fencing.transaction;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import org.springframework.util.Assert;

import dev.fencing.FencingContext;
import dev.fencing.FencingException;
import dev.fencing.LockRequest;

/**
 * Stands for several leases that were taken one by one, where code asks for all of their
 * resources together. It has no generation and no tokens, since each of them has its own:
 * a token of one, written to what another one fences, would refuse its rightful owner.
 */
final class JointContext implements FencingContext {

	private final LockRequest request;

	private final List<FencingContext> acquisitions;

	JointContext(LockRequest request, List<FencingContext> acquisitions) {
		Assert.notEmpty(acquisitions, "No acquisitions");
		this.request = request;
		this.acquisitions = acquisitions;
	}

	@Override
	public String name() {
		return this.request.name();
	}

	@Override
	public String resource() {
		return this.request.resource();
	}

	@Override
	public List<String> resources() {
		return this.request.resources();
	}

	@Override
	public long generation() {
		throw severalNumbers();
	}

	@Override
	public long nextToken() {
		throw severalNumbers();
	}

	private FencingException severalNumbers() {
		return new FencingException("""
				The leases on %s were taken one by one, so that each of them has a generation and tokens of its own: \
				ask FencingContext.require(name, key) for the one of the resource that is written, or take them \
				together (keys) in the outermost method""".formatted(resources()));
	}

	@Override
	public Duration remaining() {
		return this.acquisitions.stream()
			.map(FencingContext::remaining)
			.min(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	@Override
	public boolean isLost() {
		return this.acquisitions.stream().anyMatch(FencingContext::isLost);
	}

	@Override
	public void assertCurrent() {
		this.acquisitions.forEach(FencingContext::assertCurrent);
	}

	@Override
	public String toString() {
		return this.acquisitions.toString();
	}

}
