package dev.fencing.benchmark;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Something that is measured: several subjects, beside each other.
 *
 * @since 0.1.0
 */
public interface Bench {

	/**
	 * Return its short name.
	 * @return the name, such as {@code B1}; never null
	 */
	String id();

	/**
	 * Return what it measures.
	 * @return a few words; never null
	 */
	String title();

	/**
	 * Return what is to be run. It is run in random order, together with the cases of all
	 * other benches, as often as there are rounds.
	 * @param scale how much to do; never null
	 * @return the cases; never null
	 */
	List<BenchCase> cases(Scale scale);

	/**
	 * Return what the others are compared with.
	 * @return the column and the subject; null if nothing is compared
	 */
	default @Nullable Comparison comparison() {
		return null;
	}

	/**
	 * Judge what has come out.
	 * @param results the results of this bench; never null
	 * @return what should hold, and whether it does; never null
	 */
	List<Target> targets(Results results);

	/**
	 * What others are compared with.
	 *
	 * @param column the column whose values are divided
	 * @param subject the subject whose value others are divided by
	 * @since 0.1.0
	 */
	record Comparison(String column, String subject) {
	}

}
