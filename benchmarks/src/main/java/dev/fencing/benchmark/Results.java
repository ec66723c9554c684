package dev.fencing.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What has come out of one bench, in all rounds.
 *
 * @since 0.1.0
 */
public final class Results {

	private final Map<Row, Map<String, List<Double>>> rows = new LinkedHashMap<>();

	/**
	 * Take a place in the table, whatever the order is in which it is measured.
	 * @param benchCase whose place; never null
	 */
	void place(BenchCase benchCase) {
		this.rows.computeIfAbsent(Row.of(benchCase), (row) -> new LinkedHashMap<>());
	}

	/**
	 * Add what has come out once.
	 * @param benchCase what was measured; never null
	 * @param values the values by column; never null
	 */
	void add(BenchCase benchCase, Map<String, Double> values) {
		place(benchCase);
		Map<String, List<Double>> columns = this.rows.get(Row.of(benchCase));
		values.forEach((column, value) -> columns.computeIfAbsent(column, (name) -> new ArrayList<>()).add(value));
	}

	/**
	 * Return what has been measured, in the order of the table.
	 * @return the rows, with the values of all rounds by column; never null
	 */
	Map<Row, Map<String, List<Double>>> rows() {
		return this.rows;
	}

	/**
	 * Return a value: the median of the rounds.
	 * @param subject what was measured; never null
	 * @param setting in which circumstances; never null
	 * @param column which of its values; never null
	 * @return the value; not a number if it was not measured
	 */
	public double value(String subject, String setting, String column) {
		List<Double> values = this.rows.getOrDefault(new Row(subject, setting), Map.of()).get(column);
		return (values != null) ? median(values) : Double.NaN;
	}

	/**
	 * Divide the value of a subject by that of another one.
	 * @param subject what was measured; never null
	 * @param other what else was measured; never null
	 * @param setting in which circumstances both were; never null
	 * @param column which of their values; never null
	 * @return the ratio; not a number if one of them was not measured
	 */
	public double ratio(String subject, String other, String setting, String column) {
		return value(subject, setting, column) / value(other, setting, column);
	}

	/**
	 * Return the median.
	 * @param values the values, at least one; never null
	 * @return the middle one, or the mean of both in the middle
	 */
	public static double median(List<Double> values) {
		List<Double> sorted = values.stream().sorted().toList();
		int middle = sorted.size() / 2;
		return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
	}

	/**
	 * A row of the table.
	 *
	 * @param subject what was measured
	 * @param setting in which circumstances
	 */
	record Row(String subject, String setting) {

		static Row of(BenchCase benchCase) {
			return new Row(benchCase.subject(), benchCase.setting());
		}

	}

}
