package dev.fencing.kotlin

import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import java.util.UUID
import kotlin.reflect.KClass

@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TestApplication

fun start(vararg beans: KClass<*>): ConfigurableApplicationContext =
	SpringApplicationBuilder(TestApplication::class.java, *beans.map { it.java }.toTypedArray())
		.web(WebApplicationType.NONE)
		.run(
			"--spring.datasource.url=jdbc:h2:mem:${UUID.randomUUID()};DB_CLOSE_DELAY=-1", "--fencing.provider=memory",
			"--spring.main.banner-mode=off"
		)

/**
 * What the start fails with.
 */
fun startFailure(vararg beans: KClass<*>): Throwable = try {
	start(*beans).close()
	throw AssertionError("It has started")
}
catch (ex: Exception) {
	ex
}
