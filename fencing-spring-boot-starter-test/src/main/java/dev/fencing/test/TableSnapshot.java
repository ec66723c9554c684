package dev.fencing.test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was committed in the tables at a moment.
 *
 * @param rows the rows of each table
 */
record TableSnapshot(Map<TableName, List<String>> rows) {

	/**
	 * Note what has changed since.
	 * @param later the tables at a later moment
	 * @param leftovers where to note it
	 */
	void compare(TableSnapshot later, Leftovers leftovers) {
		later.rows.forEach(
				(table, now) -> leftovers.add(table, changes(table, this.rows.getOrDefault(table, List.of()), now)));
	}

	private static List<String> changes(TableName table, List<String> before, List<String> after) {
		Map<String, Integer> counts = new LinkedHashMap<>();
		before.forEach((row) -> counts.merge(row, -1, Integer::sum));
		after.forEach((row) -> counts.merge(row, 1, Integer::sum));
		List<String> changes = new ArrayList<>();
		counts.forEach((row, difference) -> {
			for (int i = 0; i < Math.abs(difference); i++) {
				changes.add("%s: there %s %s".formatted(table, (difference > 0) ? "is now" : "was", row));
			}
		});
		return changes;
	}

}
