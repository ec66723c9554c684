package dev.fencing.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

import dev.fencing.Rejection;
import dev.fencing.rejection.RejectionHistory;
import dev.fencing.rejection.RejectionPage;

/**
 * Reads the rejections of all instances from their table. A position is the id of a row:
 * pages stay where they are while rows come in. A row that a later version stored, with a
 * guard or a reason that is not known here, is left out of its page, which is shorter
 * then; the log says so once.
 *
 * @since 0.1.0
 */
public final class JdbcRejectionHistory implements RejectionHistory {

	private static final Log logger = LogFactory.getLog(JdbcRejectionHistory.class);

	/**
	 * Whoever asks for more gets it in several pages.
	 */
	private static final int LARGEST_PAGE = 1_000;

	private final RejectionTable table;

	private final AtomicBoolean toldUnknown = new AtomicBoolean();

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
		if (resource == null) {
			return page(List.of(), before, size);
		}
		String ascii = RejectionColumns.resource(resource, StoredText::ascii);
		Set<String> stored = new LinkedHashSet<>(List.of(RejectionColumns.resource(resource, StoredText::fit), ascii));
		try {
			return page(stored, before, size);
		}
		catch (DataAccessException ex) {
			if (stored.size() == 1 || RejectionFailure.isOutage(ex, this.table.statements().database())) {
				throw ex;
			}
			// A database without these characters may not even be asked for them
			return page(Set.of(ascii), before, size);
		}
	}

	private RejectionPage page(Collection<String> resources, @Nullable Long before, int size) {
		int number = Math.min(size, LARGEST_PAGE);
		List<Object> parameters = new ArrayList<>(resources);
		if (before != null) {
			parameters.add(before);
		}
		// One more tells whether there is another page
		parameters.add(number + 1);
		List<Row> rows = this.table.run((jdbc, sql) -> jdbc.query(sql.page(resources.size(), before != null),
				(row, index) -> new Row(row.getLong("id"), RejectionColumns.read(row, sql.database())),
				parameters.toArray()));
		List<Row> page = rows.subList(0, Math.min(number, rows.size()));
		return new RejectionPage(page.stream().flatMap(this::known).toList(),
				(page.size() < rows.size()) ? page.get(page.size() - 1).id() : null);
	}

	private Stream<Rejection> known(Row row) {
		if (row.rejection() == null && !this.toldUnknown.getAndSet(true)) {
			logger.warn("""
					Rejections of a later version are left out: row %d of their table, for instance, has a guard or a \
					reason that is not known here""".formatted(row.id()));
		}
		return Stream.ofNullable(row.rejection());
	}

	private record Row(long id, @Nullable Rejection rejection) {
	}

}
