package dev.fencing.transaction;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TransactionRuntimeHints}.
 */
class TransactionRuntimeHintsTests {

	@Test
	void rollbackCanBeCalled() {
		RuntimeHints hints = new RuntimeHints();
		new TransactionRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(hints).matches(RuntimeHintsPredicates.reflection()
			.onMethodInvocation(FencedTransactionSynchronization.rollbackMethod()));
	}

	@Test
	void areRegistered() {
		assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)).hasAtLeastOneElementOfType(TransactionRuntimeHints.class);
	}

}
