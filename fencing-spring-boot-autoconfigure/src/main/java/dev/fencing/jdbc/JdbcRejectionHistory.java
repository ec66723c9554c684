package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionPage;

/**
 * Reads the rejections of all instances from their table. A position is the id of a row:
 * pages stay where they are while rows come in.
 *
 * @since 0.1.0
 */
public final class JdbcRejectionHistory implements RejectionHistory {

	/**
	 * Whoever asks for more gets it in several pages.
	 */
	private static final int LARGEST_PAGE = 1_000;

	private final RejectionTable table;

	/**
	 * Create a history.
	 * @param table where rejections are stored; never null
	 */
	public JdbcRejectionHistory(RejectionTable table) {
		this.table = table;
	}

	@Override
	public String name() {
		return "jdbc";
	}

	/**
	 * Read a page, of at most 1,000 rejections.
	 * @throws org.springframework.dao.DataAccessException if the database fails, or does
	 * not answer within seconds
	 */
	@Override
	public RejectionPage page(@Nullable String resource, @Nullable Long before, int size) {
		int number = Math.min(size, LARGEST_PAGE);
		List<Object> parameters = new ArrayList<>();
		if (resource != null) {
			parameters.add(RejectionColumns.resource(resource));
		}
		if (before != null) {
			parameters.add(before);
		}
		// One more tells whether there is another page
		parameters.add(number + 1);
		List<Row> rows = this.table.run((jdbc, sql) -> jdbc.query(sql.page(resource != null, before != null),
				(row, index) -> new Row(row.getLong("id"), RejectionColumns.read(row, sql.database())),
				parameters.toArray()));
		List<Row> page = rows.subList(0, Math.min(number, rows.size()));
		return new RejectionPage(page.stream().map(Row::rejection).toList(),
				(page.size() < rows.size()) ? page.get(page.size() - 1).id() : null);
	}

	private record Row(long id, Rejection rejection) {
	}

}
