package dev.fencing.jdbc;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/**
 * The table of rejections in the fenced database.
 *
 * <pre class="code">
 * FENCING_REJECTION
 *   id              bigint        the order in which they were stored
 *   rejection_key   varchar(64)   tells a rejection from any other one
 *   rejected_at     timestamp     when, by the clock of the instance
 *   lock_name       varchar(400)
 *   resource_id     varchar(400)
 *   rejected_token  bigint        the token that was refused
 *   accepted_token  bigint        the token that is registered, or that the row carries; may be null
 *   guard_name      varchar(20)   what refused
 *   reason          varchar(20)   why
 *   owner           varchar(64)   the acquisition that was refused
 *   instance_id     varchar(255)  the instance of the application that was refused
 * </pre>
 *
 * @since 0.1.0
 */
public final class RejectionTable {

	/**
	 * The name of the table unless another is set.
	 */
	public static final String DEFAULT_NAME = "FENCING_REJECTION";

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final FencedDataSource dataSource;

	private final Supplier<RegistryDialect> dialect;

	private final String name;

	private final Duration timeout;

	private volatile @Nullable RejectionStatements statements;

	/**
	 * Create the table's description.
	 * @param dataSource the fenced database; never null
	 * @param dialect tells which kind of database it is; asked for when it is first
	 * needed
	 * @param name the name of the table, possibly with its schema; never null
	 */
	public RejectionTable(FencedDataSource dataSource, Supplier<RegistryDialect> dialect, String name) {
		this(dataSource, dialect, name, TIMEOUT);
	}

	RejectionTable(FencedDataSource dataSource, Supplier<RegistryDialect> dialect, String name, Duration timeout) {
		Assert.isTrue(name.matches("[\\w.\"`$]+"),
				() -> "'%s' is not the name of a table, possibly with its schema".formatted(name));
		this.dataSource = dataSource;
		this.dialect = dialect;
		this.name = name;
		this.timeout = timeout;
	}

	/**
	 * Ask for every column and right, so that what is missing shows.
	 * @param deletes whether rows are going to be deleted
	 * @throws org.springframework.dao.DataAccessException if the table, a column or a
	 * right is missing, or the database failed
	 */
	public void verify(boolean deletes) {
		run((jdbc, sql) -> {
			jdbc.queryForList(sql.page(0, true), 0, 1);
			jdbc.update(sql.insertNothing());
			return deletes ? jdbc.update(sql.deleteNothing()) : 0;
		});
	}

	/**
	 * Run statements on a connection of their own, each committed at once unless the work
	 * says otherwise, and bounded by timeouts.
	 */
	<T extends @Nullable Object> T run(BiFunction<JdbcTemplate, RejectionStatements, T> work) {
		// Before a connection is held: asking for the dialect may take one
		RejectionStatements sql = statements();
		// Longer than a statement may take, so that a slow one does not cost a connection
		Duration patience = this.timeout.multipliedBy(2);
		return this.dataSource.onOwnConnection(this.timeout,
				(jdbc) -> jdbc.execute((ConnectionCallback<T>) (connection) -> NetworkTimeout.during(connection,
						patience, () -> work.apply(jdbc, sql))));
	}

	RejectionStatements statements() {
		RejectionStatements known = this.statements;
		if (known == null) {
			known = new RejectionStatements(RejectionSql.of(this.dialect.get()), this.name);
			this.statements = known;
		}
		return known;
	}

}
