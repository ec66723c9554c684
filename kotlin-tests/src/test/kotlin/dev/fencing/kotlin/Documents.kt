package dev.fencing.kotlin

import dev.fencing.FencedLock
import dev.fencing.FencingContext
import dev.fencing.WhenUnavailable
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional
import java.util.Optional

@Service
class Documents {

	@FencedLock(name = "document", key = "#id")
	@Transactional
	fun resource(id: Long, suffix: String = ""): String = locked() + suffix

	@FencedLock(name = "document", key = "#id")
	fun nothing(id: Long): String? = if (FencingContext.require("document", id).isLost) "lost" else null

	@FencedLock(name = "document", key = "#id")
	fun nullable(id: Long?): String = locked() + id

	@FencedLock(name = "document", key = "#p0")
	fun String.asReceiver(): String = locked()

	fun receiverOf(id: String): String = id.asReceiver()

	@FencedLock(name = "document", key = "#id")
	internal fun inTheModule(id: Long): String = locked() + " for " + id

	@FencedLock(name = "report", whenUnavailable = WhenUnavailable.SKIP)
	fun report(done: () -> Unit) = done()

	@FencedLock(name = "report", whenUnavailable = WhenUnavailable.SKIP)
	fun reported(): Optional<String> = Optional.of(locked())

	private fun locked(): String = FencingContext.require().resource()

}
