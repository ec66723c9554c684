package dev.fencing.sample.operations;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads which metrics an expression of Prometheus names, and which labels it expects of
 * them. It knows as much of the language as the dashboard and the alerts use, and refuses
 * what it does not understand: aggregations have their labels in front, and every
 * selector has a name.
 */
final class PromQl {

	private static final Set<String> GROUPING = Set.of("by", "without");

	private static final Set<String> MATCHING = Set.of("on", "ignoring", "group_left", "group_right");

	private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "offset", "bool", "atan2", "inf", "nan");

	private static final Pattern TOKEN = Pattern.compile("""
			\\s+\
			|(?<string>"(?:\\\\.|[^"\\\\])*")\
			|(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)\
			|\\$(?:\\w+|\\{\\w+})\
			|[0-9][0-9a-zA-Z.]*\
			|=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}\\[\\],]""");

	private final List<Token> tokens;

	private final List<Selector> selectors = new ArrayList<>();

	private final Set<String> matchingLabels = new LinkedHashSet<>();

	private int position;

	private PromQl(List<Token> tokens) {
		this.tokens = tokens;
	}

	/**
	 * Return what the expression selects.
	 * @throws IllegalArgumentException if it is not understood
	 */
	static List<Selector> selectors(String expression) {
		try {
			return new PromQl(tokens(expression)).read();
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("%s: %s".formatted(ex.getMessage(), expression), ex);
		}
	}

	private static List<Token> tokens(String expression) {
		List<Token> tokens = new ArrayList<>();
		Matcher matcher = TOKEN.matcher(expression);
		int end = 0;
		while (matcher.find() && matcher.start() == end) {
			end = matcher.end();
			if (!matcher.group().isBlank()) {
				tokens.add(new Token(matcher.group(), matcher.group("name") != null, matcher.group("string") != null));
			}
		}
		require(end == expression.length(), "Unknown character at " + end);
		return tokens;
	}

	private List<Selector> read() {
		Deque<Set<String>> enclosing = new ArrayDeque<>();
		Set<String> grouping = Set.of();
		while (hasNext()) {
			Token token = next();
			if (token.is("[")) {
				skipRange();
			}
			else if (token.is("(")) {
				enclosing.push(grouping);
				grouping = Set.of();
			}
			else if (token.is(")")) {
				require(!enclosing.isEmpty(), "A parenthesis is closed that is not open");
				enclosing.pop();
			}
			else if (GROUPING.contains(token.text())) {
				grouping = labels();
				require(peek("("), "The labels of an aggregation come before what it aggregates");
			}
			else if (MATCHING.contains(token.text())) {
				this.matchingLabels.addAll(peek("(") ? labels() : Set.of());
			}
			else if (token.isName() && !OPERATORS.contains(token.text()) && !isFunction()) {
				this.selectors.add(selector(token.text(), enclosing));
			}
			else {
				require(!token.is("{") && !token.isString(), "A selector needs a name");
			}
		}
		require(enclosing.isEmpty(), "A parenthesis is not closed");
		this.selectors.forEach((selector) -> selector.labels().addAll(this.matchingLabels));
		return this.selectors;
	}

	private boolean isFunction() {
		return peek("(") || (hasNext() && GROUPING.contains(this.tokens.get(this.position).text()));
	}

	private Selector selector(String name, Deque<Set<String>> enclosing) {
		List<LabelMatcher> matchers = peek("{") ? matchers() : List.of();
		Set<String> labels = new LinkedHashSet<>();
		matchers.forEach((matcher) -> labels.add(matcher.label()));
		enclosing.forEach(labels::addAll);
		return new Selector(name, matchers, labels);
	}

	private List<LabelMatcher> matchers() {
		List<LabelMatcher> matchers = new ArrayList<>();
		expect("{");
		while (!peek("}")) {
			String label = name();
			String operator = next().text();
			Token value = next();
			require(value.isString(), "A label is compared with text");
			matchers.add(new LabelMatcher(label, operator, value.unquoted()));
			if (!peek("}")) {
				expect(",");
			}
		}
		expect("}");
		return matchers;
	}

	private Set<String> labels() {
		Set<String> labels = new LinkedHashSet<>();
		expect("(");
		while (!peek(")")) {
			labels.add(name());
			if (!peek(")")) {
				expect(",");
			}
		}
		expect(")");
		return labels;
	}

	private void skipRange() {
		while (!peek("]")) {
			next();
		}
		expect("]");
	}

	private String name() {
		Token token = next();
		require(token.isName(), "A name is expected instead of " + token.text());
		return token.text();
	}

	private void expect(String text) {
		Token token = next();
		require(token.is(text), "%s is expected instead of %s".formatted(text, token.text()));
	}

	private boolean hasNext() {
		return this.position < this.tokens.size();
	}

	private boolean peek(String text) {
		return hasNext() && this.tokens.get(this.position).is(text);
	}

	private Token next() {
		require(hasNext(), "Something is missing at the end");
		return this.tokens.get(this.position++);
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

	private record Token(String text, boolean isName, boolean isString) {

		boolean is(String other) {
			return this.text.equals(other);
		}

		String unquoted() {
			return this.text.substring(1, this.text.length() - 1).replaceAll("\\\\(.)", "$1");
		}

	}

	/**
	 * A metric, and what is expected of it.
	 *
	 * @param metric its name
	 * @param matchers which of its series are selected
	 * @param labels all labels that it must have, also for aggregations
	 */
	record Selector(String metric, List<LabelMatcher> matchers, Set<String> labels) {
	}

	/**
	 * A condition on a label.
	 *
	 * @param label its name
	 * @param operator as in {@code =~}
	 * @param value the text, or the regular expression
	 */
	record LabelMatcher(String label, String operator, String value) {

		boolean isRegularExpression() {
			return this.operator.endsWith("~");
		}

	}

}
