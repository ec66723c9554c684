package dev.fencing.benchmark;

/**
 * How much is done.
 *
 * @param rounds how often everything is measured
 * @param smoke whether it is only to be seen that everything can be run
 * @since 0.1.0
 */
public record Scale(int rounds, boolean smoke) {

	/**
	 * Choose a number.
	 * @param measuring what it is where something is measured
	 * @param smoking what it is where nothing is measured
	 * @return one of them
	 */
	public int of(int measuring, int smoking) {
		return this.smoke ? smoking : measuring;
	}

}
