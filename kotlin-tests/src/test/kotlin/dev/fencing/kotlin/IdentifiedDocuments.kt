package dev.fencing.kotlin

import dev.fencing.FencedLock
import dev.fencing.FencingContext
import org.springframework.stereotype.Service

@JvmInline
value class DocumentId(val value: Long)

/**
 * Functions whose names, and those of their parameters, the compiler mangles.
 */
@Service
class IdentifiedDocuments {

	@FencedLock(name = "document", key = "#id")
	fun byId(id: DocumentId): String = FencingContext.require().resource() + " for " + id

	@FencedLock(name = "document", key = "#id")
	fun byNullableId(id: DocumentId?): String = FencingContext.require().resource() + id

	@FencedLock(name = "document", keys = "#ids")
	fun byIds(ids: List<DocumentId>): Int = ids.size

	@FencedLock(name = "document", keys = "#ids.![value]")
	fun byValuesOfIds(ids: List<DocumentId>): List<String> =
		FencingContext.require("document", ids.first().value).let { listOf(it.resource()) }

}
