package dev.fencing.benchmark;

import java.util.Map;

/**
 * One subject of a bench in one setting.
 *
 * @param subject what is measured, such as a lock; never null
 * @param setting in which circumstances, such as the number of threads; never null
 * @param measurement measures it once; never null
 * @since 0.1.0
 */
public record BenchCase(String subject, String setting, Measurement measurement) {

	/**
	 * Name a number of threads, as a setting.
	 * @param threads how many
	 * @return the setting; never null
	 */
	public static String threads(int threads) {
		return (threads == 1) ? "1 thread" : threads + " threads";
	}

	/**
	 * Measures something once.
	 *
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Measurement {

		/**
		 * Measure.
		 * @return the values by column, in the order of the table; never null
		 * @throws Exception if it cannot be measured
		 */
		Map<String, Double> measure() throws Exception;

	}

}
