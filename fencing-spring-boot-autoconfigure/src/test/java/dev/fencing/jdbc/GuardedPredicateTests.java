package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs guarded statements with predicates made at random against H2.
 */
class GuardedPredicateTests {

	private static final long TOKEN = 50;

	private final long seed = Long.getLong("fencing.test.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final SingleConnectionDataSource dataSource = new SingleConnectionDataSource("jdbc:h2:mem:", true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	@BeforeEach
	void createTable() {
		this.jdbc.execute(
				"""
						create table parcel (id int primary key, a int, b int, c varchar(10), hit boolean default false not null,
						fencing_token bigint default 0 not null)""");
		for (int id = 0; id < 60; id++) {
			this.jdbc.update("insert into parcel (id, a, b, c, fencing_token) values (?, ?, ?, ?, ?)", id, id % 5,
					(id % 7 == 0) ? null : id % 3, (id % 2 == 0) ? "where?" : "x", id % 4 * 25);
		}
		onConnection((connection) -> connection.setAutoCommit(false));
	}

	@AfterEach
	void close() {
		this.dataSource.destroy();
	}

	@Test
	void updateChangesTheRowsThatThePredicateMeansExceptThoseWithAGreaterToken() {
		for (int i = 0; i < 1000; i++) {
			String predicate = predicate(4);
			TreeSet<Integer> expected = ids(predicate, "and fencing_token < 50");
			GuardedStatement statement = Guarding.guard("update parcel set hit = true where " + predicate,
					SqlDialect.H2);
			int count = this.jdbc.update(statement.sql(), statement.bind(new Object[0], TOKEN));
			assertThat(ids("hit", "")).as("%s (seed %d)", predicate, this.seed).isEqualTo(expected);
			assertThat(ids("fencing_token = 50 and hit", "")).isEqualTo(expected);
			assertThat(count).isEqualTo(expected.size());
			assertThat(refused(statement)).as("refused by %s (seed %d)", predicate, this.seed)
				.isEqualTo(ids(predicate, "and (fencing_token >= 51)").size());
			rollback();
		}
	}

	@Test
	void deleteSparesTheRowsWithAGreaterToken() {
		for (int i = 0; i < 500; i++) {
			String predicate = predicate(3);
			TreeSet<Integer> expected = ids("not (" + predicate + ")", "");
			expected.addAll(ids("(" + predicate + ") is null", ""));
			expected.addAll(ids("fencing_token >= 50", ""));
			GuardedStatement statement = Guarding.guard("delete from parcel where " + predicate + " -- end",
					SqlDialect.H2);
			this.jdbc.update(statement.sql(), statement.bind(new Object[0], TOKEN));
			assertThat(ids("true", "")).as("%s (seed %d)", predicate, this.seed).isEqualTo(expected);
			rollback();
		}
	}

	private void rollback() {
		onConnection(Connection::rollback);
	}

	private void onConnection(ConnectionWork work) {
		this.jdbc.execute((ConnectionCallback<@Nullable Void>) (connection) -> {
			work.run(connection);
			return null;
		});
	}

	private int refused(GuardedStatement statement) {
		LockingQuery query = statement.refusedRows();
		assertThat(query).isNotNull();
		List<Long> tokens = this.jdbc.queryForList(query.query().sql(), Long.class,
				query.query().bind(new Object[0], TOKEN, TOKEN + 1));
		return tokens.size();
	}

	private TreeSet<Integer> ids(String predicate, String and) {
		return new TreeSet<>(
				this.jdbc.queryForList("select id from parcel where (" + predicate + ") " + and, Integer.class));
	}

	private String predicate(int depth) {
		if (depth == 0 || this.random.nextInt(4) == 0) {
			return switch (this.random.nextInt(6)) {
				case 0 -> "a = " + this.random.nextInt(5);
				case 1 -> "b > " + this.random.nextInt(3);
				case 2 -> "c = 'where?'";
				case 3 -> "b is null";
				case 4 -> "id between " + this.random.nextInt(60) + " and 40";
				default -> "id in (select max(id) from parcel where a = " + this.random.nextInt(5) + " or b = 1)";
			};
		}
		return switch (this.random.nextInt(4)) {
			case 0 -> "not (" + predicate(depth - 1) + ")";
			case 1 -> "(" + predicate(depth - 1) + ")";
			case 2 -> predicate(depth - 1) + " or " + predicate(depth - 1);
			default -> predicate(depth - 1) + " and " + predicate(depth - 1);
		};
	}

	/**
	 * Something that is done on a connection.
	 */
	private interface ConnectionWork {

		void run(Connection connection) throws SQLException;

	}

}
