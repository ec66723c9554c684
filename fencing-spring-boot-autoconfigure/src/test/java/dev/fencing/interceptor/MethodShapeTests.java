package dev.fencing.interceptor;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

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

import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

import dev.fencing.WhenUnavailable;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MethodShapeTests {

	@ParameterizedTest
	@ValueSource(strings = { "mono", "flux", "publisher", "flowPublisher", "future", "completionStage",
			"completableFuture", "callable", "stream", "deferredResult", "sseEmitter", "streamingBody" })
	void methodThatReturnsBeforeItEndsIsRefused(String name) {
		Method method = method(name);
		assertThatExceptionOfType(InvalidFencedLockException.class)
			.isThrownBy(() -> MethodShape.check(method, WhenUnavailable.THROW))
			.withMessageContaining(name)
			.withMessageContaining("returns before its work is done (%s)", method.getReturnType().getName());
	}

	@ParameterizedTest
	@ValueSource(strings = { "publisher", "flowPublisher", "future", "completionStage", "completableFuture" })
	void methodThatReturnsBeforeItEndsIsRefusedWithoutReactorToo(String name) throws Exception {
		try (HidingClassLoader classLoader = new HidingClassLoader("reactor.")) {
			assertRefused(name, classLoader);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "flowPublisher", "future", "completionStage", "completableFuture" })
	void methodThatReturnsBeforeItEndsIsRefusedWithoutReactiveStreamsToo(String name) throws Exception {
		try (HidingClassLoader classLoader = new HidingClassLoader("reactor.", "org.reactivestreams.")) {
			assertRefused(name, classLoader);
		}
	}

	private static void assertRefused(String name, ClassLoader classLoader) throws ReflectiveOperationException {
		Class<?> whenUnavailable = classLoader.loadClass(WhenUnavailable.class.getName());
		Method check = classLoader.loadClass(MethodShape.class.getName())
			.getDeclaredMethod("check", Method.class, whenUnavailable);
		check.setAccessible(true);
		Class<?> methods = classLoader.loadClass(classWith(name).getName());
		Method method = FencedLockOperationSourceTests.method(methods, name);
		assertThatExceptionOfType(InvocationTargetException.class)
			.isThrownBy(() -> check.invoke(null, method, whenUnavailable.getEnumConstants()[0]))
			.havingCause()
			.withMessageContaining("returns before its work is done");
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
		return FencedLockOperationSourceTests.method(classWith(name), name);
	}

	private static Class<?> classWith(String name) {
		return switch (name) {
			case "mono", "flux" -> ReactorMethods.class;
			case "publisher" -> ReactiveMethods.class;
			default -> PlainMethods.class;
		};
	}

	/**
	 * Loads all classes anew, and none of some packages.
	 */
	private static final class HidingClassLoader extends URLClassLoader {

		private final List<String> hidden;

		HidingClassLoader(String... hidden) {
			super(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
				.map(HidingClassLoader::url)
				.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
			this.hidden = List.of(hidden);
		}

		private static URL url(String path) {
			try {
				return new File(path).toURI().toURL();
			}
			catch (MalformedURLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (this.hidden.stream().anyMatch(name::startsWith)) {
				throw new ClassNotFoundException(name);
			}
			return super.loadClass(name, resolve);
		}

	}

	abstract static class ReactorMethods {

		abstract Mono<String> mono();

		abstract Flux<String> flux();

	}

	abstract static class ReactiveMethods {

		abstract Publisher<String> publisher();

	}

	abstract static class PlainMethods {

		abstract Flow.Publisher<String> flowPublisher();

		abstract Callable<String> callable();

		abstract Stream<String> stream();

		abstract DeferredResult<String> deferredResult();

		abstract SseEmitter sseEmitter();

		abstract StreamingResponseBody streamingBody();

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
