package dev.fencing.kotlin

import dev.fencing.FencedLock
import dev.fencing.WhenUnavailable
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.stereotype.Service

/**
 * What Kotlin can write and no proxy can lock stops the start.
 */
class RefusedFunctionsTests {

	@Service
	class Suspending {

		@FencedLock(name = "document", key = "#id")
		suspend fun rename(id: Long): Long = id

	}

	@Service
	class Flowing {

		@FencedLock(name = "document")
		fun titles(): Flow<String> = flowOf("draft")

	}

	@Service
	class Deferring {

		@FencedLock(name = "document")
		fun title(): Deferred<String> = CompletableDeferred("draft")

	}

	@Service
	class Lazily {

		@FencedLock(name = "document")
		fun titles(): Sequence<String> = sequenceOf("draft")

	}

	class FinalClass {

		@FencedLock(name = "document")
		fun rename() = Unit

	}

	open class FinalFunction {

		@FencedLock(name = "document")
		fun rename() = Unit

	}

	@Service
	class Inlined {

		@Suppress("NOTHING_TO_INLINE")
		@FencedLock(name = "document")
		final inline fun rename() = Unit

	}

	@Service
	class Skipped {

		@FencedLock(name = "document", whenUnavailable = WhenUnavailable.SKIP)
		fun title(): String? = null

	}

	@Test
	fun `a suspend function`() {
		assertThat(startFailure(Suspending::class)).hasStackTraceContaining("returns before its work is done (a suspend function)")
	}

	@Test
	fun `a function that returns what is computed later`() {
		assertThat(startFailure(Flowing::class)).hasStackTraceContaining("(kotlinx.coroutines.flow.Flow)")
		assertThat(startFailure(Deferring::class)).hasStackTraceContaining("(kotlinx.coroutines.Deferred)")
		assertThat(startFailure(Lazily::class)).hasStackTraceContaining("(kotlin.sequences.Sequence)")
	}

	@Test
	fun `a final class, as classes are without the compiler plugin`() {
		assertThat(startFailure(FinalClass::class)).hasStackTraceContaining("its class is final, so that no proxy can extend it")
	}

	@Test
	fun `a final function, as functions are without the compiler plugin`() {
		assertThat(startFailure(FinalFunction::class)).hasStackTraceContaining("the method is final")
	}

	@Test
	fun `an inline function, which is copied to where it is called`() {
		assertThat(startFailure(Inlined::class)).hasStackTraceContaining("the method is final")
	}

	@Test
	fun `a result that may be null, which cannot say that the call was skipped`() {
		assertThat(startFailure(Skipped::class)).hasStackTraceContaining("Return void or Optional")
	}

}
