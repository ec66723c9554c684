package dev.fencing.benchmark;

import java.util.Locale;

/**
 * Something that should hold.
 *
 * @param bench the short name of the bench; never null
 * @param text what should hold; never null
 * @param measured what has come out; never null
 * @param met whether it holds
 * @since 0.1.0
 */
public record Target(String bench, String text, String measured, boolean met) {

	/**
	 * A value that should not be less than something.
	 * @param bench the short name of the bench; never null
	 * @param text what should hold; never null
	 * @param value what has come out
	 * @param least what it should be at least
	 * @return the target; never null
	 */
	public static Target atLeast(String bench, String text, double value, double least) {
		return new Target(bench, text, text(value), value >= least);
	}

	/**
	 * A value that should not be more than something.
	 * @param bench the short name of the bench; never null
	 * @param text what should hold; never null
	 * @param value what has come out
	 * @param most what it should be at most
	 * @return the target; never null
	 */
	public static Target atMost(String bench, String text, double value, double most) {
		return new Target(bench, text, text(value), value <= most);
	}

	/**
	 * A value that should be just so.
	 * @param bench the short name of the bench; never null
	 * @param text what should hold; never null
	 * @param value what has come out
	 * @param expected what it should be
	 * @return the target; never null
	 */
	public static Target exactly(String bench, String text, double value, double expected) {
		return new Target(bench, text, text(value), value == expected);
	}

	/**
	 * Write a number with as many digits as are worth reading.
	 * @param value the number
	 * @return its text; never null
	 */
	static String text(double value) {
		double size = Math.abs(value);
		String format = "%.3f";
		if (size >= 100) {
			format = "%,.0f";
		}
		else if (size >= 10) {
			format = "%.1f";
		}
		else if (size >= 1 || size == 0) {
			format = "%.2f";
		}
		return String.format(Locale.ROOT, format, value);
	}

}
