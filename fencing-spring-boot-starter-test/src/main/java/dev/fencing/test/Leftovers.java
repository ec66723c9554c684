package dev.fencing.test;

import java.util.List;

/**
 * What a first owner has left in tables after its lease had passed on.
 */
interface Leftovers {

	/**
	 * Return all of it.
	 * @return a line for each thing
	 */
	List<String> all();

	/**
	 * Return what is in one table.
	 * @param table its name, in upper or lower case
	 * @return a line for each thing
	 * @throws IllegalArgumentException if the table was not compared
	 */
	List<String> in(String table);

}
