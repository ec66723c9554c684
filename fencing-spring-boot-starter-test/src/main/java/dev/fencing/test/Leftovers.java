package dev.fencing.test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.util.Assert;

/**
 * What a first owner has left in tables after its lease had passed on: for each table
 * that was compared, a line for each row that has changed.
 */
final class Leftovers {

	private final Map<TableName, List<String>> changes = new LinkedHashMap<>();

	/**
	 * Add what has changed in a table.
	 * @param table which one; known as compared from now on
	 * @param lines the changes
	 */
	void add(TableName table, List<String> lines) {
		this.changes.computeIfAbsent(table, (name) -> new ArrayList<>()).addAll(lines);
	}

	/**
	 * Return all of it.
	 * @return a line for each row
	 */
	List<String> all() {
		return this.changes.values().stream().flatMap(List::stream).toList();
	}

	/**
	 * Return what is in one table.
	 * @param name its name, in upper or lower case, with its schema or without
	 * @return a line for each row
	 * @throws IllegalArgumentException if the table was not compared
	 */
	List<String> in(String name) {
		List<TableName> tables = this.changes.keySet().stream().filter((table) -> table.isCalled(name)).toList();
		Assert.notEmpty(tables,
				() -> "Table '%s' is not among those that were compared: %s".formatted(name, this.changes.keySet()));
		return tables.stream().flatMap((table) -> this.changes.getOrDefault(table, List.of()).stream()).toList();
	}

}
