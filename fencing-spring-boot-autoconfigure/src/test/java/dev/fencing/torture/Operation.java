package dev.fencing.torture;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One piece of work under a lease, or under two.
 *
 * @param id tells it from all others
 * @param kind what is done
 * @param accounts on which accounts, in ascending order
 * @param style how it is written
 * @param snapshot whether its transaction is REPEATABLE READ instead of READ COMMITTED
 */
record Operation(int id, Kind kind, List<Integer> accounts, Style style, boolean snapshot) {

	static final String LOCK = "account";

	static String resource(int account) {
		return LOCK + ":" + account;
	}

	/**
	 * Return what the operation adds to the amount of one of its accounts.
	 */
	int change(int account) {
		return (this.kind == Kind.TRANSFER && account == this.accounts.get(0)) ? -1 : 1;
	}

	/**
	 * Return how many transactions it does its work in.
	 */
	int parts() {
		return (this.kind == Kind.TWICE) ? 2 : 1;
	}

	/**
	 * Return the operation as one word, for another process.
	 */
	String toText() {
		String joined = this.accounts.stream().map(Object::toString).collect(Collectors.joining(","));
		return "%d;%s;%s;%s;%b".formatted(this.id, this.kind, joined, this.style, this.snapshot);
	}

	static Operation of(String text) {
		String[] parts = text.split(";");
		return new Operation(Integer.parseInt(parts[0]), Kind.valueOf(parts[1]),
				Arrays.stream(parts[2].split(",")).map(Integer::valueOf).toList(), Style.valueOf(parts[3]),
				Boolean.parseBoolean(parts[4]));
	}

	/**
	 * What is done. Each account's row is read first, and what is written depends on it.
	 */
	enum Kind {

		/**
		 * Adds one to the amount.
		 */
		INCREMENT,

		/**
		 * Appends the id to the list of entries, besides.
		 */
		APPEND,

		/**
		 * Takes one from the first account and gives it to the second.
		 */
		TRANSFER,

		/**
		 * Deletes the row and inserts it again, with one more.
		 */
		REPLACE,

		/**
		 * Adds one in each of two transactions under one lease.
		 */
		TWICE

	}

	/**
	 * How the lease is taken and the rows are written.
	 */
	enum Style {

		/**
		 * One lease on all accounts, plain JDBC.
		 */
		PLAIN,

		/**
		 * One lease on all accounts, the fenced helper.
		 */
		HELPER,

		/**
		 * A lease for each account, one inside the other; the fenced helper.
		 */
		NESTED

	}

}
