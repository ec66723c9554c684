package dev.fencing.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command of a shell, with its arguments, and what its output goes through.
 *
 * @param line the number of the line in the snippet where it begins, from 1
 * @param text what stands there, on one line
 * @param pipeline the commands, each with its arguments
 */
record CommandLine(int line, String text, List<List<String>> pipeline) {

	private static final Pattern WORD = Pattern.compile("\\s*(?:(\\|)|((?:'[^']*'|\"[^\"]*\"|[^\\s'\"|])+))");

	private static final Pattern QUOTED = Pattern.compile("'([^']*)'|\"([^\"]*)\"");

	/**
	 * Read what is in a snippet: no more of the language than the documents use.
	 */
	static List<CommandLine> read(String snippet) {
		List<CommandLine> commands = new ArrayList<>();
		StringBuilder continued = new StringBuilder();
		int start = 0;
		int number = 0;
		for (String line : snippet.lines().toList()) {
			number++;
			start = continued.isEmpty() ? number : start;
			continued.append(line.strip());
			if (line.endsWith("\\")) {
				continued.setLength(continued.length() - 1);
				continue;
			}
			String text = continued.toString();
			continued.setLength(0);
			if (!text.isEmpty() && !text.startsWith("#")) {
				commands.add(new CommandLine(start, text, pipeline(text)));
			}
		}
		return commands;
	}

	private static List<List<String>> pipeline(String text) {
		List<List<String>> pipeline = new ArrayList<>();
		List<String> current = new ArrayList<>();
		pipeline.add(current);
		Matcher word = WORD.matcher(text);
		int end = 0;
		while (word.find() && word.start() == end) {
			end = word.end();
			if (word.group(1) != null) {
				current = new ArrayList<>();
				pipeline.add(current);
			}
			else {
				current.add(unquoted(word.group(2)));
			}
		}
		if (!text.substring(end).isBlank()) {
			throw new IllegalArgumentException("Not understood from '%s' on".formatted(text.substring(end)));
		}
		return pipeline;
	}

	private static String unquoted(String word) {
		return QUOTED.matcher(word)
			.replaceAll((quoted) -> Matcher
				.quoteReplacement((quoted.group(1) != null) ? quoted.group(1) : quoted.group(2)));
	}

}
