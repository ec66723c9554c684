package dev.fencing.transaction;

/**
 * A transaction manager of the application cannot be guarded: the application does not
 * start.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class UnguardableTransactionManagerException extends RuntimeException {

	private final String beanName;

	private final String reason;

	UnguardableTransactionManagerException(String beanName, String reason) {
		super("Transactions of '%s' cannot be guarded: %s".formatted(beanName, reason));
		this.beanName = beanName;
		this.reason = reason;
	}

	/**
	 * Return the name of the transaction manager.
	 * @return the bean's name; never null
	 */
	public String getBeanName() {
		return this.beanName;
	}

	/**
	 * Return why it cannot be guarded.
	 * @return the reason; never null
	 */
	public String getReason() {
		return this.reason;
	}

}
