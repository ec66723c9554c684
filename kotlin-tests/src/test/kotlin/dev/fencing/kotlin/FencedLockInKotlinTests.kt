package dev.fencing.kotlin

import dev.fencing.FencedLockTemplate
import dev.fencing.LockRequest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.beans.factory.getBean
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencedLockInKotlinTests {

	private val context = start(Documents::class, IdentifiedDocuments::class, NamelessDocuments::class)

	private val documents = context.getBean<Documents>()

	private val identified = context.getBean<IdentifiedDocuments>()

	@AfterAll
	fun stop() = context.close()

	@Test
	fun `a key knows the parameter by its name`() {
		assertThat(documents.resource(42, "!")).isEqualTo("document:42!")
	}

	@Test
	fun `kotlin-reflect knows names that the class file does not`() {
		assertThat(NamelessDocuments::class.java.getMethod("resource", Long::class.java).parameters[0].isNamePresent).isFalse()
		assertThat(context.getBean<NamelessDocuments>().resource(42)).isEqualTo("document:42 for 42")
	}

	@Test
	fun `a call that leaves out a default argument is locked`() {
		assertThat(documents.resource(42)).isEqualTo("document:42")
	}

	@Test
	fun `a result may be null`() {
		assertThat(documents.nothing(42)).isNull()
	}

	@Test
	fun `a key that is null is refused when the method is called`() {
		assertThat(documents.nullable(42)).isEqualTo("document:4242")
		assertThatThrownBy { documents.nullable(null) }.hasMessageContaining("is null")
	}

	@Test
	fun `a value class is its value`() {
		assertThat(identified.byId(DocumentId(42))).isEqualTo("document:42 for DocumentId(value=42)")
	}

	@Test
	fun `a value class that is boxed is refused when the method is called`() {
		assertThatThrownBy { identified.byNullableId(DocumentId(42)) }
			.hasMessageContaining("DocumentId", "no text that is the same everywhere")
		assertThatThrownBy { identified.byIds(listOf(DocumentId(42))) }
			.hasMessageContaining("DocumentId", "no text that is the same everywhere")
		assertThat(identified.byValuesOfIds(listOf(DocumentId(42)))).containsExactly("document:42")
		assertThatThrownBy { LockRequest.of("document").key(DocumentId(42)) }
			.hasMessageContaining("DocumentId", "no text that is the same everywhere")
	}

	@Test
	fun `an internal function is locked`() {
		assertThat(documents.inTheModule(42)).isEqualTo("document:42 for 42")
	}

	@Test
	fun `the receiver of an extension is the first parameter`() {
		with(documents) {
			assertThat("42".asReceiver()).isEqualTo("document:42")
		}
	}

	@Test
	fun `a call from within the same object is not locked, as in Java`() {
		assertThatThrownBy { documents.receiverOf("42") }.hasMessageContaining("No fenced lease")
	}

	@Test
	fun `functions that return Unit or Optional can be skipped`() {
		var reports = 0
		documents.report { reports++ }
		assertThat(documents.reported()).hasValue("report")
		context.getBean<FencedLockTemplate>().executeWithoutResult(LockRequest.of("report")) {
			elsewhere { documents.report { reports++ } }
			assertThat(elsewhere { documents.reported() }).isEmpty()
		}
		assertThat(reports).isEqualTo(1)
	}

	private fun <T> elsewhere(code: () -> T): T = CompletableFuture.supplyAsync(code).get(30, TimeUnit.SECONDS)

}
