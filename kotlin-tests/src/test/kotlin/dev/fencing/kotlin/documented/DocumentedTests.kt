package dev.fencing.kotlin.documented

import dev.fencing.FencedLockTemplate
import dev.fencing.FencingContext
import dev.fencing.LockRequest
import dev.fencing.kotlin.start
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.beans.factory.getBean
import org.springframework.jdbc.core.JdbcTemplate

/**
 * Runs what docs/neighbours.md shows, line by line: a test in neighbour-tests looks for its snippets here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedTests {

	private val application = start(Documents::class)

	private val jdbc = application.getBean<JdbcTemplate>()

	private val template = application.getBean<FencedLockTemplate>()

	@BeforeAll
	fun createDocument() {
		jdbc.execute("create table document (id bigint primary key, title varchar(80), fencing_token bigint default 0 not null)")
		jdbc.update("insert into document (id, title) values (42, 'draft')")
	}

	@AfterAll
	fun stop() = application.close()

	@Test
	fun `a function with the annotation writes under its lease`() {
		application.getBean<Documents>().rename(42)
		assertThat(jdbc.queryForMap("select title, fencing_token > 0 as stamped from document"))
			.containsEntry("title", "untitled")
			.containsEntry("stamped", true)
	}

	@Test
	fun `an extension saves the types`() {
		val title = template.execute<String?, RuntimeException>(LockRequest.of("document").key(42)) { context -> find(context) }

		fun <T> FencedLockTemplate.locked(request: LockRequest, work: (FencingContext) -> T): T =
			execute<T, RuntimeException>(request, work)

		val id = template.locked(LockRequest.of("document").key(42)) { context -> context.resource() }

		assertThat(title).isNull()
		assertThat(id).isEqualTo("document:42")
	}

	private fun find(context: FencingContext): String? = if (context.isLost) "lost" else null

}
