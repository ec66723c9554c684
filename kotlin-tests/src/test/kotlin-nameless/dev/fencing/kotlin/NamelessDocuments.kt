package dev.fencing.kotlin

import dev.fencing.FencedLock
import dev.fencing.FencingContext
import org.springframework.stereotype.Service

/**
 * Compiled so that the class file does not name the parameters.
 */
@Service
class NamelessDocuments {

	@FencedLock(name = "document", key = "#id")
	fun resource(id: Long): String = FencingContext.require().resource() + " for " + id

}
