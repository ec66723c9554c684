package dev.fencing.sample.document;

import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Creates, reads and renames documents. {@link #rename} is the one that several owners
 * may want to do at once.
 *
 * @since 0.1.0
 */
@Service
public class DocumentService {

	private final JdbcClient jdbc;

	private final FencedJdbcTemplate fencedJdbc;

	DocumentService(JdbcClient jdbc, FencedJdbcTemplate fencedJdbc) {
		this.jdbc = jdbc;
		this.fencedJdbc = fencedJdbc;
	}

	/**
	 * Create a document. Nobody else can know it yet, so no lease is needed.
	 * @param title the title
	 * @return the document; never null
	 */
	public Document create(String title) {
		return this.jdbc.sql("insert into document (title) values (?) returning id, title, fencing_token")
			.param(title)
			.query(Document.class)
			.single();
	}

	/**
	 * Return all documents, the oldest first.
	 * @return the documents; never null
	 */
	public List<Document> list() {
		return this.jdbc.sql("select id, title, fencing_token from document order by id").query(Document.class).list();
	}

	/**
	 * Return a document.
	 * @param id its number
	 * @return the document; never null
	 */
	public Document get(long id) {
		return this.jdbc.sql("select id, title, fencing_token from document where id = ?")
			.param(id)
			.query(Document.class)
			.optional()
			.orElseThrow(() -> new DocumentNotFoundException(id));
	}

	/**
	 * Give a document another title, as the only owner of that document: an owner whose
	 * lease ran out in between is refused by the database.
	 * @param id its number
	 * @param title the new title
	 * @return the document; never null
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public Document rename(long id, String title) {
		this.fencedJdbc.update("update document set title = ? where id = ?", title, id);
		return get(id);
	}

}
