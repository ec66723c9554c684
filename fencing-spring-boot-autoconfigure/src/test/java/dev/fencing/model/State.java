package dev.fencing.model;

import java.util.Arrays;

/**
 * Everything that Redis, the database, the network and the owners know at one moment, as
 * small numbers. Owners are numbered from 1; 0 is nobody.
 */
final class State {

	private static final Shared[] SHARED = Shared.values();

	private static final Local[] LOCALS = Local.values();

	private final byte[] cells;

	private State(byte[] cells) {
		this.cells = cells;
	}

	/**
	 * The counter serves other resources as well, and this one had an owner before: so a
	 * number can fall below what is registered, or between that and another one that was
	 * given out.
	 */
	static State initial(int owners) {
		State state = new State(new byte[width(owners)]);
		state.set(Shared.COUNTER, 2);
		state.set(Shared.MARK, 1);
		return state;
	}

	static State of(byte[] cells) {
		return new State(cells);
	}

	static int width(int owners) {
		return SHARED.length + owners * LOCALS.length;
	}

	byte[] cells() {
		return this.cells;
	}

	int owners() {
		return (this.cells.length - SHARED.length) / LOCALS.length;
	}

	State copy() {
		return new State(this.cells.clone());
	}

	int get(Shared cell) {
		return this.cells[cell.ordinal()];
	}

	void set(Shared cell, int value) {
		this.cells[cell.ordinal()] = (byte) value;
	}

	void increment(Shared cell) {
		this.cells[cell.ordinal()]++;
	}

	int get(int owner, Local cell) {
		return this.cells[offset(owner) + cell.ordinal()];
	}

	void set(int owner, Local cell, int value) {
		this.cells[offset(owner) + cell.ordinal()] = (byte) value;
	}

	void increment(int owner, Local cell) {
		this.cells[offset(owner) + cell.ordinal()]++;
	}

	Place place(int owner) {
		return Place.of(get(owner, Local.PLACE));
	}

	void go(int owner, Place place) {
		set(owner, Local.PLACE, place.ordinal());
	}

	boolean is(int owner, Flag flag) {
		return (get(owner, Local.FLAGS) & flag.bit()) != 0;
	}

	void mark(int owner, Flag flag) {
		set(owner, Local.FLAGS, get(owner, Local.FLAGS) | flag.bit());
	}

	void unmark(int owner, Flag flag) {
		set(owner, Local.FLAGS, get(owner, Local.FLAGS) & ~flag.bit());
	}

	boolean holdsLease(int owner) {
		return get(Shared.LEASE_OWNER) == owner;
	}

	/**
	 * The database session that an owner uses, as the holder of a row's lock.
	 */
	int session(int owner) {
		return owner;
	}

	/**
	 * The session of a commit that its owner does not wait for any more.
	 */
	int abandonedSession(int owner) {
		return owners() + owner;
	}

	void unlock(int session) {
		for (Shared lock : Shared.LOCKS) {
			if (get(lock) == session) {
				set(lock, 0);
			}
		}
	}

	private static int offset(int owner) {
		return SHARED.length + (owner - 1) * LOCALS.length;
	}

	/**
	 * Return the same state with the owners in an order that only depends on what they
	 * are doing: they are alike, so that the states that differ in their names alone need
	 * to be looked at once.
	 */
	State canonical() {
		int[] order = new int[owners()];
		boolean sorted = true;
		for (int i = 0; i < order.length; i++) {
			int place = i;
			while (place > 0 && compare(order[place - 1], i + 1) > 0) {
				order[place] = order[place - 1];
				place--;
				sorted = false;
			}
			order[place] = i + 1;
		}
		return sorted ? this : inOrder(order);
	}

	private State inOrder(int[] order) {
		State state = copy();
		int[] renamed = new int[2 * order.length + 1];
		for (int i = 0; i < order.length; i++) {
			System.arraycopy(this.cells, offset(order[i]), state.cells, offset(i + 1), LOCALS.length);
			renamed[session(order[i])] = session(i + 1);
			renamed[abandonedSession(order[i])] = abandonedSession(i + 1);
		}
		for (Shared reference : Shared.REFERENCES) {
			state.set(reference, renamed[get(reference)]);
		}
		return state;
	}

	private int compare(int owner, int other) {
		int result = Arrays.compare(this.cells, offset(owner), offset(owner + 1), this.cells, offset(other),
				offset(other + 1));
		return (result != 0) ? result : Integer.compare(references(owner), references(other));
	}

	private int references(int owner) {
		int references = 0;
		for (Shared reference : Shared.REFERENCES) {
			int named = get(reference);
			references = references * 3 + ((named == session(owner)) ? 1 : (named == abandonedSession(owner)) ? 2 : 0);
		}
		return references;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof State that && Arrays.equals(this.cells, that.cells);
	}

	@Override
	public int hashCode() {
		return Arrays.hashCode(this.cells);
	}

	/**
	 * What everybody shares.
	 */
	enum Shared {

		/** Redis: the number that was given out last. */
		COUNTER,

		/** Redis: the generation that stands in the lease, 0 if there is none. */
		LEASE_GENERATION,

		/** Redis: whose nonce stands in the lease. */
		LEASE_OWNER,

		/** Database: the registered generation. */
		MARK,

		/** Database: the registered owner. */
		MARK_OWNER,

		/** Database: the protected counter. */
		VALUE,

		/** Database: the token on the protected row, where rows are stamped. */
		STAMP,

		/** Database: the session that has the registry's row locked. */
		MARK_LOCK,

		/** Database: the session that has the protected row locked. */
		DATA_LOCK,

		/**
		 * How many increments have been committed, which nobody but the checker knows.
		 */
		INCREMENTS,

		/** How many leases have been lost under an owner that was not done. */
		LOSSES,

		/** How many other faults there have been. */
		FAULTS;

		static final Shared[] LOCKS = { MARK_LOCK, DATA_LOCK };

		static final Shared[] REFERENCES = { LEASE_OWNER, MARK_OWNER, MARK_LOCK, DATA_LOCK };

	}

	/**
	 * What one owner knows, and its session in the database.
	 */
	enum Local {

		/** Where it is in the protocol. */
		PLACE,

		/** Its own generation. */
		GENERATION,

		/** The registered generation that it was refused for. */
		ABOVE,

		/** The value that it goes by, plus 1; 0 if it has not read. */
		SEEN,

		/**
		 * What its open transaction has written, 0 for nothing: all that is written is
		 * greater.
		 */
		WRITTEN,

		/**
		 * What a commit has written that it does not wait for any more; 0 if there is
		 * none.
		 */
		ABANDONED,

		/** How many transactions it has begun. */
		TRANSACTIONS,

		/** How often its lease was given a new generation. */
		HEALINGS,

		/** What is true of it or not. */
		FLAGS

	}

	/**
	 * What is true of an owner or not.
	 */
	enum Flag {

		/** It is registered, as far as it knows. */
		REGISTERED,

		/**
		 * Its open transaction has registered it: not seen by others before the commit.
		 */
		REGISTERS,

		/** Its open transaction reads from a snapshot. */
		SNAPSHOT,

		/** The protected row was changed after the snapshot. */
		DATA_CHANGED,

		/** The registry's row was changed after the snapshot. */
		MARK_CHANGED,

		/** The counter has fallen back after its generation was given out. */
		OUTRUN;

		static final Flag[] OF_SESSION = { REGISTERS, SNAPSHOT, DATA_CHANGED, MARK_CHANGED };

		int bit() {
			return 1 << ordinal();
		}

	}

	/**
	 * Where an owner is.
	 */
	enum Place {

		START, GRANTED, HEALING, COUNTER_NEXT, LEASE_NEXT, READY, BODY, GUARDED, COMMITTING, END;

		private static final Place[] ALL = values();

		static Place of(int ordinal) {
			return ALL[ordinal];
		}

	}

}
