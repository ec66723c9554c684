package dev.fencing.kotlin

import dev.fencing.FencedLockTemplate
import dev.fencing.FencingContext
import dev.fencing.LockRequest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.beans.factory.getBean
import java.io.IOException
import java.util.Optional
import kotlin.reflect.KType
import kotlin.reflect.typeOf

/**
 * Kotlin has no checked exceptions, and infers no type that only a `throws` names.
 */
private fun <T> FencedLockTemplate.locked(request: LockRequest, work: (FencingContext) -> T): T =
	execute<T, RuntimeException>(request, work)

/**
 * The type that the compiler sees.
 */
private inline fun <reified T> typeSeen(@Suppress("UNUSED_PARAMETER") value: T): KType = typeOf<T>()

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencedLockTemplateInKotlinTests {

	private val context = start()

	private val template = context.getBean<FencedLockTemplate>()

	private val request = LockRequest.of("document").key(42)

	@AfterAll
	fun stop() = context.close()

	@Test
	fun `a lambda returns its result`() {
		val resource = template.execute<String, RuntimeException>(request) { context -> context.resource() }
		assertThat(resource).isEqualTo("document:42")
		assertThat(typeSeen(resource)).isEqualTo(typeOf<String>())
	}

	@Test
	fun `a result that may be null has a type that says so`() {
		val nothing = template.execute<String?, RuntimeException>(request) { null }
		assertThat(nothing).isNull()
		assertThat(typeSeen(nothing)).isEqualTo(typeOf<String?>())
		assertThat(typeSeen(request.leaseTime())).isEqualTo(typeOf<java.time.Duration?>())
	}

	@Test
	fun `an extension of three lines needs no types`() {
		assertThat(typeSeen(template.locked(request) { it.resource() })).isEqualTo(typeOf<String>())
		assertThat(typeSeen(template.locked(request) { it.resource().toLongOrNull() })).isEqualTo(typeOf<Long?>())
		assertThat(template.locked(request) { it.resource() }).isEqualTo("document:42")
	}

	@Test
	fun `what is skipped is empty`() {
		val title: Optional<String> = template.tryExecute<String, RuntimeException>(request) { it.resource() }
		assertThat(title).hasValue("document:42")
		assertThat(template.tryExecuteWithoutResult(request) { it.assertCurrent() }).isTrue()
	}

	@Test
	fun `a checked exception reaches the caller untouched`() {
		val failure = IOException("as thrown")
		assertThatThrownBy { template.locked(request) { throw failure } }.isSameAs(failure)
		assertThatThrownBy { template.executeWithoutResult(request) { throw failure } }.isSameAs(failure)
	}

}
