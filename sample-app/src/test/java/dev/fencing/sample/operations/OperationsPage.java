package dev.fencing.sample.operations;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The page for operators.
 */
final class OperationsPage {

	private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

	private static final Pattern METRIC = Pattern.compile("\\bfence_\\w+");

	private final String text = Documents.read(Documents.OPERATIONS);

	/**
	 * Return where a link into the page may lead.
	 */
	Set<String> anchors() {
		return anchors(this.text);
	}

	/**
	 * Return where a link into a text may lead, as GitHub makes it of the headings.
	 */
	static Set<String> anchors(String text) {
		return HEADING.matcher(text)
			.results()
			.map((heading) -> heading.group(1).toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
			.collect(Collectors.toSet());
	}

	/**
	 * Return what stands under a heading, up to the next one of the same level.
	 */
	String section(String heading) {
		MatchResult section = Pattern
			.compile("^(#+) " + Pattern.quote(heading) + "$(.*?)(?=^\\1 |^#(?!\\1)#* |\\z)",
					Pattern.MULTILINE | Pattern.DOTALL)
			.matcher(this.text)
			.results()
			.findFirst()
			.orElseThrow();
		return section.group(2);
	}

	/**
	 * Return where the page's links lead.
	 */
	List<String> links() {
		return LINK.matcher(this.text).results().map((link) -> link.group(1)).toList();
	}

	/**
	 * Return the names of metrics, wherever they stand.
	 */
	Set<String> metrics() {
		return METRIC.matcher(this.text)
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * Return the examples in a language.
	 */
	List<String> examples(String language) {
		return Pattern.compile("^( *)```" + language + "\n(.*?)^\\1```$", Pattern.MULTILINE | Pattern.DOTALL)
			.matcher(this.text)
			.results()
			.map((example) -> example.group(2).strip())
			.toList();
	}

}
