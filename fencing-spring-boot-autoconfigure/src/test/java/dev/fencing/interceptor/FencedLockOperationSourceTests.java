package dev.fencing.interceptor;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.annotation.AliasFor;
import org.springframework.expression.ParserContext;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.mock.env.MockEnvironment;

import dev.fencing.FencedLock;
import dev.fencing.LockRequest;
import dev.fencing.WhenUnavailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FencedLockOperationSourceTests {

	private final MockEnvironment environment = new MockEnvironment();

	private final CountingParser expressionParser = new CountingParser();

	private final FencedLockOperationSource source = new FencedLockOperationSource(this.environment,
			this.expressionParser);

	@Test
	void annotationOnTheMethodIsFound() {
		assertThat(operation(Plain.class, "named").lock()).isEqualTo(LockRequest.of("plain"));
	}

	@Test
	void methodWithoutTheAnnotationHasNoOperation() {
		Method method = method(Plain.class, "free");
		assertThat(this.source.getOperation(method, Plain.class)).isNull();
		assertThat(this.source.isFenced(method, Plain.class)).isFalse();
	}

	@Test
	void nameMayBeTheOnlyValue() {
		assertThat(operation(Plain.class, "shortened").lock()).isEqualTo(LockRequest.of("plain"));
	}

	@Test
	void annotationOnAnInterfaceIsFoundFromBothSides() {
		Method declared = method(Api.class, "run");
		assertThat(this.source.isFenced(declared, ApiBean.class)).isTrue();
		FencedLockOperation operation = operation(ApiBean.class, "run");
		assertThat(operation.method()).isEqualTo(method(ApiBean.class, "run"));
		assertThat(this.source.getOperation(declared, ApiBean.class)).isEqualTo(operation);
	}

	@Test
	void annotationOnTheInvokedMethodIsFoundWhenTheTargetDoesNotHaveIt() {
		Method declared = method(Api.class, "run");
		FencedLockOperation operation = this.source.requireOperation(declared, UnrelatedTarget.class);
		assertThat(operation.method()).isEqualTo(declared);
	}

	@Test
	void annotationBehindABridgeMethodIsFound() {
		Method bridge = Arrays.stream(GenericBean.class.getDeclaredMethods())
			.filter(Method::isBridge)
			.findFirst()
			.orElseThrow();
		assertThat(this.source.requireOperation(bridge, GenericBean.class).method().getParameterTypes())
			.containsExactly(String.class);
	}

	@Test
	void composedAnnotationPassesItsAttributesOn() {
		FencedLockOperation operation = operation(Composed.class, "ship");
		assertThat(operation.lock())
			.isEqualTo(LockRequest.of("order").leaseTime(Duration.ofSeconds(3)).waitTime(Duration.ofSeconds(1)));
		assertThat(operation.key()).hasToString("#orderId");
		assertThat(operation.whenUnavailable()).isEqualTo(WhenUnavailable.SKIP);
	}

	@Test
	void fencedMethodsAreThoseOfTheWholeHierarchy() {
		assertThat(this.source.getFencedMethods(Everything.class)).extracting(Method::getName)
			.containsExactlyInAnyOrder("own", "hidden", "shared", "inherited", "hiddenInBase", "byDefault");
	}

	@Test
	void classWithoutTheAnnotationHasNoFencedMethods() {
		assertThat(this.source.getFencedMethods(UnrelatedTarget.class)).isEmpty();
		assertThat(this.source.getFencedMethods(String.class)).isEmpty();
	}

	@Test
	void annotationAndExpressionAreParsedOnce() {
		FencedLockOperation operation = operation(Composed.class, "ship");
		assertThat(operation(Composed.class, "ship")).isSameAs(operation);
		assertThat(this.expressionParser.parsed).containsExactly("#orderId");
	}

	@Test
	void placeholdersInTheNameAreResolved() {
		this.environment.setProperty("lock", "stock");
		assertThat(operation(Placeholders.class, "run").lock().name()).isEqualTo("stock");
	}

	@Test
	void placeholderThatStandsForNothingIsRefused() {
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> operation(Placeholders.class, "run"))
			.withMessageContaining("${lock}")
			.withMessageContaining("Placeholders.run()");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a:b" })
	void nameThatIsNoneIsRefusedAlsoAfterItWasResolved(String name) {
		this.environment.setProperty("lock", name);
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> operation(Placeholders.class, "run"))
			.withMessageContaining((name.isBlank() ? "blank" : "':'"));
	}

	@Test
	void annotationWithoutANameIsRefused() {
		assertThatExceptionOfType(InvalidFencedLockException.class).isThrownBy(() -> operation(Plain.class, "nameless"))
			.withMessageContaining("Plain.nameless()")
			.withMessageContaining("needs a name");
	}

	@ParameterizedTest
	@CsvSource({ "10s, PT10S", "500ms, PT0.5S", "2m, PT2M", "1h, PT1H", "1m30s, PT90S", "PT10S, PT10S", "pt1m, PT1M" })
	void durationIsRead(String text, Duration duration) {
		this.environment.setProperty("time", text);
		LockRequest lock = operation(Durations.class, "run").lock();
		assertThat(lock.leaseTime()).isEqualTo(duration);
		assertThat(lock.waitTime()).isEqualTo(duration);
		assertThat(lock.maxHold()).isEqualTo(duration);
	}

	@Test
	void durationThatResolvesToNothingIsLeftToTheProperties() {
		this.environment.setProperty("time", "");
		assertThat(operation(Durations.class, "run").lock()).isEqualTo(LockRequest.of("timed"));
	}

	@ParameterizedTest
	@CsvSource({ "10, no unit", "soon, no duration", "10parsecs, no duration", "' ', no duration", "1ms, at least",
			"-1s, at least" })
	void durationThatIsNoneIsRefused(String text, String reason) {
		this.environment.setProperty("time", text);
		assertThatExceptionOfType(InvalidFencedLockException.class).isThrownBy(() -> operation(Durations.class, "run"))
			.withMessageContaining("Durations.run()")
			.withMessageContaining(reason);
	}

	@Test
	void blankKeyIsRefused() {
		assertThatExceptionOfType(InvalidFencedLockException.class).isThrownBy(() -> operation(Plain.class, "blankKey"))
			.withMessageContaining("blank");
	}

	@Test
	void keyAndKeysTogetherAreRefused() {
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> operation(Plain.class, "keyAndKeys"))
			.withMessageContaining("a key and keys");
	}

	@Test
	void shortestHoldIsRead() {
		assertThat(operation(Plain.class, "held").lock().minHold()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void faultIsTold() {
		assertThatExceptionOfType(InvalidFencedLockException.class).isThrownBy(() -> operation(Plain.class, "blankKey"))
			.satisfies((ex) -> {
				assertThat(ex.getMethod()).isEqualTo(method(Plain.class, "blankKey"));
				assertThat(ex.getBeanName()).isNull();
				assertThat(ex.getReason()).isEqualTo("its key expression is blank");
				assertThat(ex.getAction()).startsWith("Write an expression");
			});
	}

	private FencedLockOperation operation(Class<?> type, String method) {
		return this.source.requireOperation(method(type, method), type);
	}

	static Method method(Class<?> type, String name) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name) && !method.isBridge())
			.findFirst()
			.orElseThrow();
	}

	private static final class CountingParser extends SpelExpressionParser {

		private final List<String> parsed = new ArrayList<>();

		@Override
		protected SpelExpression doParseExpression(String expression, @Nullable ParserContext context) {
			this.parsed.add(expression);
			return super.doParseExpression(expression, context);
		}

	}

	static class Plain {

		@FencedLock(name = "plain")
		public void named() {
		}

		@FencedLock("plain")
		public void shortened() {
		}

		@FencedLock
		public void nameless() {
		}

		@FencedLock(name = "plain", key = "1", keys = "{1}")
		public void keyAndKeys() {
		}

		@FencedLock(name = "plain", minHold = "3s")
		public void held() {
		}

		@FencedLock(name = "plain", key = " ")
		public void blankKey() {
		}

		public void free() {
		}

	}

	interface Api {

		@FencedLock("api")
		void run();

	}

	static class ApiBean implements Api {

		@Override
		public void run() {
		}

	}

	static class UnrelatedTarget {

		public void run() {
		}

	}

	static class GenericBase<T> {

		void take(T item) {
		}

	}

	static class GenericBean extends GenericBase<String> {

		@Override
		@FencedLock("generic")
		void take(String item) {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@FencedLock(name = "order", whenUnavailable = WhenUnavailable.SKIP, waitTime = "1s")
	@interface OrderLock {

		@AliasFor(annotation = FencedLock.class, attribute = "key")
		String order();

		@AliasFor(annotation = FencedLock.class)
		String leaseTime() default "3s";

	}

	static class Composed {

		@OrderLock(order = "#orderId")
		public void ship(long orderId) {
		}

	}

	static class Placeholders {

		@FencedLock("${lock}")
		public void run() {
		}

	}

	static class Durations {

		@FencedLock(name = "timed", leaseTime = "${time}", waitTime = "${time}", maxHold = "${time}")
		public void run() {
		}

	}

	interface WithDefault {

		@FencedLock("x")
		default void byDefault() {
		}

	}

	static class Base {

		@FencedLock("x")
		public void inherited() {
		}

		@FencedLock("x")
		private void hiddenInBase() {
		}

	}

	static class Everything extends Base implements WithDefault {

		@FencedLock("x")
		public void own() {
		}

		@FencedLock("x")
		private void hidden() {
		}

		@FencedLock("x")
		static void shared() {
		}

	}

}
