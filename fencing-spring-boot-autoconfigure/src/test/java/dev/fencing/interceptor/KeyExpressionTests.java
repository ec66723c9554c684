package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.expression.spel.standard.SpelExpressionParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyExpressionTests {

	private static final Method METHOD = FencedLockOperationSourceTests.method(Orders.class, "ship");

	private final StaticListableBeanFactory beanFactory = new StaticListableBeanFactory(Map.of("region", "north"));

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#orderId" | "42"
			"#a0" | "42"
			"#p1[0]" | "first"
			"#root.args[0]" | "42"
			"args[1][1]" | "second"
			"#root.method.name + method.name" | "shipship"
			"target.prefix" | "o"
			"#root.target.prefix.toUpperCase()" | "O"
			"@region + #orderId" | "north42"
			"#tags.^[#this.length() > 5]" | "second"
			"#tags.?[length() > 5][0]" | "second"
			"#tags.![bytes.length][0]" | "5"
			"#names[home]" | "cellar"
			"{home: #orderId}[home]" | "42"
			"T(java.lang.Long).MAX_VALUE - #orderId" | "9223372036854775765"
			"new java.lang.String('x').concat('y')" | "xy"
			"#orderId > 9 ? 'many' : 'few'" | "many"
			"'everything'" | "everything"
			""")
	void expressionIsEvaluated(String expression, String value) {
		assertThat(evaluate(expression)).hasToString(value);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			"#orderIdd" | "#orderIdd"
			"#a3" | "#a3"
			"#p3" | "#p3"
			"#tags[#index]" | "#index"
			"#tags.![#this + #suffix]" | "#suffix"
			"#orderId + ':' + #version" | "#version"
			"@region.concat(#suffix)" | "#suffix"
			"#hash(#orderId)" | "#hash"
			"#orderId ?: #fallback" | "#fallback"
			"{#orderId, #version}" | "#version"
			"orderId" | "orderId"
			"orderId.toString()" | "orderId"
			"@region.concat(orderId)" | "orderId"
			""")
	void unknownNameIsRefused(String expression, String unknown) {
		assertThatExceptionOfType(InvalidFencedLockException.class).isThrownBy(() -> parse(expression))
			.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(
					"the key expression '%s' uses %s, but knows only #orderId, #a0, #p0, #tags, #a1, #p1, #names, #a2, #p2, #root"
						.formatted(expression, unknown)));
	}

	@Test
	void parameterNamesThatWereNotCompiledInAreAskedFor() throws NoSuchMethodException {
		Method compiledWithoutNames = String.class.getMethod("concat", String.class);
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> KeyExpression.parse("#str", compiledWithoutNames, new SpelExpressionParser()))
			.withMessageContaining("java.lang.String.concat(String)")
			.withMessageContaining("#a0, #p0, #root")
			.withMessageContaining("-parameters");
		assertThat(KeyExpression.parse("#a0", compiledWithoutNames, new SpelExpressionParser())).hasToString("#a0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#orderId +", "#", "#{#orderId}", "#orderId)" })
	void expressionThatCannotBeParsedIsRefused(String expression) {
		assertThatExceptionOfType(InvalidFencedLockException.class).isThrownBy(() -> parse(expression))
			.withMessageContaining("cannot be parsed")
			.withMessageContaining("Orders.ship(long, List, Map)");
	}

	@Test
	void expressionThatGivesNullIsLeftToTheRequest() {
		assertThat(evaluate("#names['nowhere']")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "#tags[7]", "@nobody", "#orderId.nothing", "#root.target.fail()" })
	void expressionThatCannotBeEvaluatedIsRefused(String expression) {
		assertThatIllegalArgumentException().isThrownBy(() -> evaluate(expression))
			.withMessageStartingWith("It cannot be evaluated: ");
	}

	@ParameterizedTest
	@CsvSource({ "#a0, second", "#p0, first", "#a1, second", "#p1, second" })
	void parameterThatIsCalledLikeAnIndexIsWhatIsMeant(String expression, String value) {
		Method swapped = FencedLockOperationSourceTests.method(Orders.class, "swap");
		Object[] arguments = { "first", "second" };
		// Evaluated as a whole, and as a part of more
		for (String text : List.of(expression, expression + ".toString()")) {
			assertThat(KeyExpression.parse(text, swapped, new SpelExpressionParser())
				.evaluate(new Orders(), swapped, arguments, this.beanFactory)).isEqualTo(value);
		}
	}

	@Test
	void rootIsTheRootObjectAlsoWhereAParameterIsCalledSo() {
		Method method = FencedLockOperationSourceTests.method(Orders.class, "plant");
		assertThat(KeyExpression.parse("#root", method, new SpelExpressionParser())
			.evaluate(new Orders(), method, new Object[] { "carrot" }, this.beanFactory))
			.isInstanceOf(KeyExpressionRoot.class);
	}

	@Test
	void typeIsFoundWhichTheClassCanSeeWhateverTheThreadCan() {
		Thread thread = Thread.currentThread();
		ClassLoader own = thread.getContextClassLoader();
		thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
		try {
			assertThat(evaluate("T(dev.fencing.LockRequest).MAX_KEYS")).isEqualTo(100);
		}
		finally {
			thread.setContextClassLoader(own);
		}
	}

	private Object evaluate(String expression) {
		Object[] arguments = { 42L, List.of("first", "second"), Map.of("home", "cellar") };
		return parse(expression).evaluate(new Orders(), METHOD, arguments, this.beanFactory);
	}

	private static KeyExpression parse(String expression) {
		return KeyExpression.parse(expression, METHOD, new SpelExpressionParser());
	}

	static class Orders {

		public String getPrefix() {
			return "o";
		}

		public String fail() {
			throw new IllegalStateException("no prefix");
		}

		public void plant(String root) {
		}

		public void swap(String tag, String a0) {
		}

		public void ship(long orderId, List<String> tags, Map<String, String> names) {
		}

	}

}
