package dev.fencing.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says what is wrong with the set-up, and what to do.
 */
final class FencingConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<FencingConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, FencingConfigurationException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getAction(), cause);
	}

}
