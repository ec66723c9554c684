package dev.fencing.interceptor;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import dev.fencing.WhenUnavailable;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MethodShapeTests {

	@ParameterizedTest
	@ValueSource(strings = { "mono", "flux", "publisher", "flowPublisher", "future", "completionStage",
			"completableFuture" })
	void methodThatReturnsBeforeItEndsIsRefused(String name) {
		Method method = method(name);
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> MethodShape.check(method, WhenUnavailable.THROW))
			.withMessageContaining(name)
			.withMessageContaining("returns before its work is done (%s)", method.getReturnType().getName());
	}

	@Test
	void suspendFunctionIsRefused() throws NoSuchMethodException {
		DynamicType.Unloaded<?> continuation = new ByteBuddy().makeInterface()
			.name("kotlin.coroutines.Continuation")
			.make();
		Class<?> type = new ByteBuddy().subclass(Object.class)
			.name("dev.fencing.interceptor.Suspending")
			.defineMethod("run", Object.class, Visibility.PUBLIC)
			.withParameters(continuation.getTypeDescription())
			.intercept(FixedValue.nullValue())
			.make()
			.include(continuation)
			.load(getClass().getClassLoader())
			.getLoaded();
		Method method = type.getMethods()[0];
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> MethodShape.check(method, WhenUnavailable.THROW))
			.withMessageContaining("Suspending.run(Continuation)")
			.withMessageContaining("a suspend function");
	}

	@ParameterizedTest
	@ValueSource(strings = { "hidden", "shared" })
	void methodThatNoProxyCanInterceptIsRefused(String name) {
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> MethodShape.check(method(name), WhenUnavailable.THROW))
			.withMessageContaining("no proxy can intercept it");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "number", "text", "optional", "optionalInt" })
	void methodThatEndsWhenItReturnsIsFine(String name) {
		assertThatCode(() -> MethodShape.check(method(name), WhenUnavailable.THROW)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "nothing", "optional" })
	void methodThatCanSayItWasSkippedIsFine(String name) {
		assertThatCode(() -> MethodShape.check(method(name), WhenUnavailable.SKIP)).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "number", "text", "optionalInt" })
	void methodThatCannotSayItWasSkippedIsRefused(String name) {
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> MethodShape.check(method(name), WhenUnavailable.SKIP))
			.withMessageContaining("cannot say that it was")
			.withMessageContaining("Return void or Optional");
	}

	private static Method method(String name) {
		return FencedLockOperationSourceTests.method(Methods.class, name);
	}

	abstract static class Methods {

		abstract Mono<String> mono();

		abstract Flux<String> flux();

		abstract Publisher<String> publisher();

		abstract Flow.Publisher<String> flowPublisher();

		abstract Future<String> future();

		abstract CompletionStage<String> completionStage();

		abstract CompletableFuture<String> completableFuture();

		abstract void nothing();

		abstract int number();

		abstract String text();

		abstract Optional<String> optional();

		abstract OptionalInt optionalInt();

		private void hidden() {
		}

		static void shared() {
		}

	}

}
