package dev.fencing.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import dev.fencing.Rejection;
import dev.fencing.rejection.RejectionEntry;
import dev.fencing.rejection.RejectionPage;
import dev.fencing.testsupport.TestDatabase;

/**
 * The table of rejections in a test's database, and both ways into it.
 */
final class RejectionRows {

	private final RejectionTable table;

	private final JdbcRejectionSink sink;

	private final JdbcRejectionHistory history;

	private int lastKey;

	private RejectionRows(RejectionTable table) {
		this.table = table;
		this.sink = new JdbcRejectionSink(table);
		this.history = new JdbcRejectionHistory(table);
	}

	/**
	 * Create the table.
	 */
	static RejectionRows create(TestDatabase database, DataSource dataSource) {
		ResourceDatabasePopulator populator = new ResourceDatabasePopulator(
				new ClassPathResource("dev/fencing/jdbc/rejection-schema-" + database.dialect().platform() + ".sql"));
		populator.execute(dataSource);
		return in(database, dataSource);
	}

	/**
	 * Use the table that is there.
	 */
	static RejectionRows in(TestDatabase database, DataSource dataSource) {
		return new RejectionRows(
				new RejectionTable(new FencedDataSource(dataSource), database::dialect, RejectionTable.DEFAULT_NAME));
	}

	/**
	 * Use the table that is there, and wait no longer than a second for it.
	 */
	static RejectionRows impatiently(TestDatabase database, DataSource dataSource) {
		return new RejectionRows(new RejectionTable(new FencedDataSource(dataSource), database::dialect,
				RejectionTable.DEFAULT_NAME, Duration.ofSeconds(1)));
	}

	RejectionTable table() {
		return this.table;
	}

	JdbcRejectionSink sink() {
		return this.sink;
	}

	JdbcRejectionHistory history() {
		return this.history;
	}

	/**
	 * Store rejections, all in one go.
	 */
	void store(Rejection... rejections) {
		List<RejectionEntry> entries = new ArrayList<>();
		for (Rejection rejection : rejections) {
			this.lastKey++;
			entries.add(new RejectionEntry("key-" + this.lastKey, rejection));
		}
		this.sink.write(entries);
	}

	/**
	 * Return all of a resource, or of every resource.
	 */
	List<Rejection> all(@Nullable String resource) {
		RejectionPage page = this.history.page(resource, null, 1_000);
		return page.rejections();
	}

	/**
	 * Count the rows, over a connection of another data source.
	 */
	static int count(DataSource dataSource) {
		Integer number = new JdbcTemplate(dataSource).queryForObject("select count(*) from FENCING_REJECTION",
				Integer.class);
		return (number != null) ? number : 0;
	}

	/**
	 * Return the resources of all, the oldest first.
	 */
	List<String> resources() {
		List<String> resources = new ArrayList<>(all(null).stream().map(Rejection::resource).toList());
		Collections.reverse(resources);
		return resources;
	}

}
