package dev.fencing.jdbc;

import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Ways to read a result.
 */
final class ResultSets {

	private ResultSets() {
	}

	/**
	 * Hand each row to a callback, and return how many there were.
	 */
	static ResultSetExtractor<Integer> each(RowCallbackHandler callback) {
		return (rows) -> {
			int count = 0;
			while (rows.next()) {
				callback.processRow(rows);
				count++;
			}
			return count;
		};
	}

}
