package dev.fencing.transaction;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps what {@link FencedTransactionSynchronization} calls in native images.
 *
 * @since 0.1.0
 */
public final class TransactionRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerMethod(FencedTransactionSynchronization.rollbackMethod(), ExecutableMode.INVOKE);
	}

}
