package dev.fencing.autoconfigure;

/**
 * The application is set up in a way in which nothing would be protected. It does not
 * start.
 *
 * @since 0.1.0
 */
@SuppressWarnings("serial")
public final class FencingConfigurationException extends RuntimeException {

	private final String description;

	private final String action;

	/**
	 * Create an exception.
	 * @param description what is wrong
	 * @param action what to do
	 */
	public FencingConfigurationException(String description, String action) {
		super(description + System.lineSeparator() + action);
		this.description = description;
		this.action = action;
	}

	/**
	 * Return what is wrong.
	 * @return the description; never null
	 */
	public String getDescription() {
		return this.description;
	}

	/**
	 * Return what to do.
	 * @return the action; never null
	 */
	public String getAction() {
		return this.action;
	}

}
