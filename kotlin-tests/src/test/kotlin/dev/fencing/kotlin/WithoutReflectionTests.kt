package dev.fencing.kotlin

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.getBean
import org.springframework.util.ClassUtils

/**
 * Runs without kotlin-reflect.
 */
class WithoutReflectionTests {

	@Test
	fun `a key by parameter name is refused at the start where nothing knows the name`() {
		assertThat(ClassUtils.isPresent("kotlin.reflect.full.KClasses", null)).isFalse()
		assertThat(startFailure(NamelessDocuments::class)).hasStackTraceContaining("'#id' uses #id, but knows only #a0, #p0")
			.hasStackTraceContaining("-java-parameters")
	}

	@Test
	fun `the names in the class file suffice`() {
		start(Documents::class).use {
			assertThat(it.getBean<Documents>().resource(42)).isEqualTo("document:42")
		}
	}

	@Test
	fun `the name of a value class in the class file is another one, and refused`() {
		assertThat(startFailure(IdentifiedDocuments::class)).hasStackTraceContaining("'#id' uses #id, but knows only #")
	}

}
