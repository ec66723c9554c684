package dev.fencing.model;

/**
 * How much of everything may happen, so that there is an end to it.
 *
 * @param owners how many acquisitions there are
 * @param transactions how many transactions each of them may begin
 * @param losses how often a lease may be lost under an owner that is not done
 * @param faults how many other faults there may be, of whatever kind
 * @param healings how often one acquisition may be given a new generation
 * @param numbers the greatest number that a lying issuer gives out
 */
record Bounds(int owners, int transactions, int losses, int faults, int healings, int numbers) {

	/**
	 * Adds so many losses and faults to those that each test of the model allows.
	 */
	private static final int MORE = Integer.getInteger("fencing.model.more", 0);

	static Bounds of(int owners, int transactions, int losses, int faults) {
		return new Bounds(owners, transactions, losses + MORE, faults + MORE, 2, 4);
	}

}
