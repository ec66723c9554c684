package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.jdbc.SqlText.Range;

/**
 * Takes a condition apart into the terms that must all hold.
 */
final class Conjunction {

	private final SqlText text;

	private final List<Range> terms = new ArrayList<>();

	private Conjunction(SqlText text) {
		this.text = text;
	}

	/**
	 * Return the terms, without brackets around them.
	 */
	static List<Range> terms(SqlText text, Range condition) {
		Conjunction conjunction = new Conjunction(text);
		conjunction.addAll(condition.from(), condition.to());
		return conjunction.terms;
	}

	private void addAll(int first, int behind) {
		int from = first;
		int to = behind;
		while (from < to && this.text.isSymbol(from, '(') && this.text.closing(from) == to - 1) {
			from++;
			to--;
		}
		if (from == to) {
			return;
		}
		List<Range> parts = parts(from, to);
		if (parts.size() == 1) {
			this.terms.addAll(parts);
		}
		else {
			parts.forEach((part) -> addAll(part.from(), part.to()));
		}
	}

	private List<Range> parts(int from, int to) {
		List<Range> parts = new ArrayList<>();
		int depth = this.text.token(from).depth();
		int start = from;
		boolean between = false;
		for (int i = from; i < to; i++) {
			if (this.text.token(i).depth() != depth) {
				continue;
			}
			if (isAlternative(i)) {
				return List.of();
			}
			if (this.text.isWord(i, "BETWEEN")) {
				between = true;
			}
			else if (this.text.isWord(i, "AND")) {
				if (!between) {
					parts.add(new Range(start, i));
					start = i + 1;
				}
				between = false;
			}
		}
		parts.add(new Range(start, to));
		return parts;
	}

	private boolean isAlternative(int index) {
		return this.text.isWord(index, "OR") || this.text.isWord(index, "XOR") || this.text.isWord(index, "CASE")
				|| (this.text.dialect().hasOrOperator() && this.text.isSymbol(index, '|')
						&& this.text.isSymbol(index + 1, '|'));
	}

}
