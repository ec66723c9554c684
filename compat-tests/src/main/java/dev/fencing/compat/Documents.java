package dev.fencing.compat;

import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.FencedLock;
import dev.fencing.jdbc.FencedJdbcClient;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.jdbc.FencedNamedParameterJdbcTemplate;

/**
 * Renames documents, under the lease of each.
 */
@Service
public class Documents {

	private final FencedJdbcTemplate fencedJdbc;

	private final FencedNamedParameterJdbcTemplate fencedNamedJdbc;

	private final FencedJdbcClient fencedJdbcClient;

	private final JdbcTemplate jdbc;

	Documents(FencedJdbcTemplate fencedJdbc, FencedNamedParameterJdbcTemplate fencedNamedJdbc,
			FencedJdbcClient fencedJdbcClient, JdbcTemplate jdbc) {
		this.fencedJdbc = fencedJdbc;
		this.fencedNamedJdbc = fencedNamedJdbc;
		this.fencedJdbcClient = fencedJdbcClient;
		this.jdbc = jdbc;
	}

	/**
	 * Rename through the fenced helper, which stamps the row.
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void rename(long id, String title, Runnable beforeWrite) {
		beforeWrite.run();
		this.fencedJdbc.update("update document set title = ? where id = ?", title, id);
	}

	/**
	 * Rename with plain JDBC, which only the guard of the transaction protects.
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public void renamePlainly(long id, String title, Runnable beforeWrite) {
		beforeWrite.run();
		this.jdbc.update("update document set title = ? where id = ?", title, id);
	}

	/**
	 * Write one document in each of the three styles, many at once and with all that
	 * Spring's own classes have a part in.
	 * @return the number of documents written by each
	 */
	@FencedLock(name = "document", key = "#id")
	@Transactional
	public List<Integer> renameInEveryStyle(long id, String title) {
		Map<String, Object> named = Map.of("title", title, "ids", List.of(id, -1L));
		String sql = "update document set title = :title where id in (:ids)";
		return List.of(
				this.fencedJdbc.batchUpdate("update document set title = ? where id = ?",
						List.<Object[]>of(new Object[] { title, id }))[0],
				this.fencedNamedJdbc.update(sql, named), this.fencedJdbcClient.sql(sql).params(named).update(),
				this.fencedJdbcClient.sql("update document set title = ? where id = ?").params(title, id).update());
	}

}
