package dev.fencing.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * A text to be sent, and what goes into each of its placeholders. Immutable, and the same
 * for every token.
 *
 * @param sql the text
 * @param slots for each placeholder the index of the argument that goes there, or
 * {@link #TOKEN}, or {@link #LEAST}
 */
@SuppressWarnings("ArrayRecordComponent") // never handed out, and compared by nobody
record BoundSql(String sql, int[] slots) {

	/**
	 * The place of the token of this execution.
	 */
	static final int TOKEN = -1;

	/**
	 * The place of the least token that makes a row a refused one.
	 */
	static final int LEAST = -2;

	/**
	 * Put arguments and tokens in their places.
	 * @param arguments the arguments of the application; not changed
	 * @param token the token of this execution
	 * @param least the least token that makes a row a refused one
	 */
	@Nullable Object[] bind(@Nullable Object[] arguments, long token, long least) {
		@Nullable Object[] bound = new @Nullable Object[this.slots.length];
		for (int i = 0; i < bound.length; i++) {
			bound[i] = switch (this.slots[i]) {
				case TOKEN -> token;
				case LEAST -> least;
				default -> arguments[this.slots[i]];
			};
		}
		return bound;
	}

	@Override
	public String toString() {
		return this.sql;
	}

}
