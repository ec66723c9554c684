package dev.fencing.benchmark.startup;

/**
 * What the application does by itself, with the starter or without it.
 *
 * @since 0.1.0
 */
public enum StartupSetting {

	/**
	 * It uses the database and Redis before it is ready, and would load what connects to
	 * them anyway.
	 */
	CONNECTED("uses both servers at start"),

	/**
	 * It connects when it is first called: what the starter does at start is then added
	 * to it, and taken from the first call.
	 */
	LAZY("connects when first called");

	private final String title;

	StartupSetting(String title) {
		this.title = title;
	}

	/**
	 * Return its name in tables.
	 * @return the name; never null
	 */
	public String title() {
		return this.title;
	}

}
