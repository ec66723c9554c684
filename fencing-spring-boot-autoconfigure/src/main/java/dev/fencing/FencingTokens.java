package dev.fencing;

/**
 * The arithmetic of fencing tokens. A token is a 64-bit number made of the generation of
 * an acquisition and of a sequence within it: {@code generation * 1,000,000 + sequence}.
 * Every token of a later acquisition is therefore greater than every token of an earlier
 * one, and a strict {@code <} is the only comparison that is needed.
 *
 * @since 0.1.0
 */
public final class FencingTokens {

	/**
	 * The tokens of one acquisition: sequence 0 registers, the others go with one write
	 * or one guard each.
	 */
	public static final int PER_GENERATION = 1_000_000;

	/**
	 * The greatest generation whose tokens fit into 64 bits.
	 */
	public static final long MAX_GENERATION = Long.MAX_VALUE / PER_GENERATION - 1;

	private FencingTokens() {
	}

	/**
	 * Make a token.
	 * @param generation the generation, from 1 to {@link #MAX_GENERATION}
	 * @param sequence the sequence, from 0 to {@link #PER_GENERATION} - 1
	 * @return the token
	 * @throws IllegalArgumentException if a part is out of its range
	 */
	public static long of(long generation, int sequence) {
		if (generation < 1 || generation > MAX_GENERATION) {
			throw new IllegalArgumentException(
					"Generation %d is not between 1 and %d".formatted(generation, MAX_GENERATION));
		}
		if (sequence < 0 || sequence >= PER_GENERATION) {
			throw new IllegalArgumentException(
					"Sequence %d is not between 0 and %d".formatted(sequence, PER_GENERATION - 1));
		}
		return generation * PER_GENERATION + sequence;
	}

	/**
	 * Return the generation of a token.
	 * @param token the token
	 * @return its generation
	 */
	public static long generation(long token) {
		return token / PER_GENERATION;
	}

	/**
	 * Show a token to people.
	 * @param token the token
	 * @return {@code generation.sequence}, as in {@code 42.1}; never null
	 */
	public static String format(long token) {
		return token / PER_GENERATION + "." + token % PER_GENERATION;
	}

}
