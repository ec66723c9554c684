package dev.fencing.kotlin.documented

import dev.fencing.FencedLock
import dev.fencing.jdbc.FencedJdbcTemplate
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

@Service
class Documents(private val fencedJdbc: FencedJdbcTemplate) {

	@FencedLock(name = "document", key = "#id")
	@Transactional
	fun rename(id: Long, title: String = "untitled") {
		fencedJdbc.update("update document set title = ? where id = ?", title, id)
	}

}
