package dev.fencing.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A document, taken apart.
 */
final class MarkdownFile {

	private static final Pattern FENCE = Pattern.compile("^( *)(`{3,}|~{3,})\\s*(\\S*).*$");

	private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.+?)(?: +#+)?$");

	private static final Pattern LINK = Pattern.compile("]\\(\\s*<?([^)\\s>]+)[^)]*\\)|^ *\\[[^]]+]:\\s*(\\S+)",
			Pattern.MULTILINE);

	private static final Pattern CODE = Pattern.compile("(`+)(.+?)\\1(?!`)", Pattern.DOTALL);

	private final String name;

	private final List<Snippet> snippets = new ArrayList<>();

	private final Set<String> anchors = new TreeSet<>();

	/**
	 * With each line of a snippet empty, so that lines keep their numbers.
	 */
	private final String prose;

	MarkdownFile(String name, String text) {
		this.name = name;
		StringBuilder remaining = new StringBuilder();
		StringBuilder block = new StringBuilder();
		Matcher opening = null;
		int openedAt = 0;
		int number = 0;
		for (String line : text.lines().toList()) {
			number++;
			Matcher fence = FENCE.matcher(line);
			if (opening == null) {
				if (fence.matches()) {
					opening = fence;
					openedAt = number;
					line = "";
				}
				remaining.append(line).append('\n');
				continue;
			}
			remaining.append('\n');
			if (fence.matches() && fence.group(2).startsWith(opening.group(2)) && fence.group(3).isEmpty()) {
				this.snippets.add(new Snippet(name, openedAt, opening.group(3), block.toString(),
						text.lines().limit(openedAt - 1L).reduce("", (before, next) -> before + next + "\n")));
				block.setLength(0);
				opening = null;
				continue;
			}
			int indentation = opening.group(1).length();
			block.append(line.isBlank() ? "" : line.substring(Math.min(indentation, indentation(line)))).append('\n');
		}
		if (opening != null) {
			throw new IllegalArgumentException("%s:%d: the block is not closed".formatted(name, openedAt));
		}
		this.prose = remaining.toString();
		readAnchors();
	}

	private static int indentation(String line) {
		return line.length() - line.stripLeading().length();
	}

	private void readAnchors() {
		Map<String, Integer> seen = new HashMap<>();
		this.prose.lines().map(HEADING::matcher).filter(Matcher::matches).forEach((heading) -> {
			String anchor = anchor(heading.group(1));
			int earlier = seen.merge(anchor, 1, Integer::sum) - 1;
			this.anchors.add((earlier > 0) ? anchor + "-" + earlier : anchor);
		});
	}

	/**
	 * As GitHub makes it of a heading.
	 */
	private static String anchor(String heading) {
		return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
	}

	String name() {
		return this.name;
	}

	List<Snippet> snippets() {
		return this.snippets;
	}

	/**
	 * Return where a link into the document may lead.
	 */
	Set<String> anchors() {
		return this.anchors;
	}

	/**
	 * Return where links of the document lead.
	 */
	List<Span> links() {
		List<Span> links = new ArrayList<>();
		// The same length, so that lines can be counted
		String text = CODE.matcher(this.prose)
			.replaceAll((code) -> Matcher.quoteReplacement(code.group().replaceAll("[^\n]", "x")));
		Matcher matcher = LINK.matcher(text);
		while (matcher.find()) {
			links
				.add(new Span(line(matcher.start()), (matcher.group(1) != null) ? matcher.group(1) : matcher.group(2)));
		}
		return links;
	}

	/**
	 * Return what stands as code within sentences and tables.
	 */
	List<Span> codes() {
		return CODE.matcher(this.prose)
			.results()
			.map((code) -> new Span(line(code.start()), code.group(2).replaceAll("\\s+", " ").strip()))
			.toList();
	}

	private int line(int position) {
		return 1 + (int) this.prose.substring(0, position).chars().filter((character) -> character == '\n').count();
	}

	/**
	 * A piece of a document.
	 *
	 * @param line the number of the line where it begins
	 * @param text what it says
	 */
	record Span(int line, String text) {
	}

}
