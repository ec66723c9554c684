package dev.fencing.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All states found so far, in the order in which they were found, each with the one that
 * it was found from.
 */
final class StateSpace {

	private static final int CHUNK = 1 << 14;

	private final int width;

	private final List<byte[]> chunks = new ArrayList<>();

	private int[] parents = new int[CHUNK];

	/**
	 * By hash, with the next free place for those whose place is taken: the index of a
	 * state plus 1.
	 */
	private int[] table = new int[4 * CHUNK];

	private int size;

	StateSpace(int width) {
		this.width = width;
	}

	int size() {
		return this.size;
	}

	State get(int index) {
		int from = (index % CHUNK) * this.width;
		return State.of(Arrays.copyOfRange(this.chunks.get(index / CHUNK), from, from + this.width));
	}

	/**
	 * Return the indices of the states that lead to one, from the first to this one.
	 */
	List<Integer> pathTo(int index) {
		List<Integer> path = new ArrayList<>();
		for (int i = index; i >= 0; i = this.parents[i]) {
			path.add(0, i);
		}
		return path;
	}

	/**
	 * Add a state unless it is known.
	 * @param state the state
	 * @param parent the index of the one that it was found from; -1 for the first one
	 */
	void add(State state, int parent) {
		byte[] cells = state.cells();
		int place = place(cells);
		if (this.table[place] != 0) {
			return;
		}
		int offset = this.size % CHUNK;
		if (offset == 0) {
			this.chunks.add(new byte[CHUNK * this.width]);
		}
		System.arraycopy(cells, 0, this.chunks.get(this.size / CHUNK), offset * this.width, this.width);
		if (this.size == this.parents.length) {
			this.parents = Arrays.copyOf(this.parents, 2 * this.size);
		}
		this.parents[this.size] = parent;
		this.size++;
		this.table[place] = this.size;
		if (2 * this.size > this.table.length) {
			grow();
		}
	}

	private int place(byte[] cells) {
		int mask = this.table.length - 1;
		int place = spread(Arrays.hashCode(cells)) & mask;
		while (this.table[place] != 0 && !isAt(this.table[place] - 1, cells)) {
			place = (place + 1) & mask;
		}
		return place;
	}

	private boolean isAt(int index, byte[] cells) {
		int from = (index % CHUNK) * this.width;
		return Arrays.equals(this.chunks.get(index / CHUNK), from, from + this.width, cells, 0, this.width);
	}

	private void grow() {
		this.table = new int[2 * this.table.length];
		for (int i = 0; i < this.size; i++) {
			this.table[place(get(i).cells())] = i + 1;
		}
	}

	private static int spread(int hash) {
		int spread = (hash ^ (hash >>> 16)) * 0x85ebca6b;
		return spread ^ (spread >>> 13);
	}

}
