package dev.fencing.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

import dev.fencing.interceptor.InvalidFencedLockException;

/**
 * Says which annotated method cannot be locked, why, and what to do.
 */
final class InvalidFencedLockFailureAnalyzer extends AbstractFailureAnalyzer<InvalidFencedLockException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidFencedLockException cause) {
		String bean = (cause.getBeanName() != null) ? " of bean '" + cause.getBeanName() + "'" : "";
		return new FailureAnalysis(
				"@FencedLock on %s%s cannot work: %s.".formatted(cause.getMethod(), bean, cause.getReason()),
				cause.getAction() + ".", cause);
	}

}
