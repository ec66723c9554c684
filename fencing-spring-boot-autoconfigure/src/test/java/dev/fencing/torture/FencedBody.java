package dev.fencing.torture;

import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.FencingContext;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Work that the library protects: it knows nothing of tokens.
 */
final class FencedBody implements Body {

	private final JdbcOperations jdbc;

	private final FencedJdbcTemplate fencedJdbc;

	FencedBody(JdbcOperations jdbc, FencedJdbcTemplate fencedJdbc) {
		this.jdbc = jdbc;
		this.fencedJdbc = fencedJdbc;
	}

	@Override
	public void run(Operation operation, int part, FencingContext context, Stops stops) {
		stops.at(Stop.BEGUN);
		List<Row> rows = new ArrayList<>();
		operation.accounts().forEach((account) -> rows.add(Row.read(this.jdbc, account)));
		stops.at(Stop.READ);
		rows.forEach((row) -> write(operation, part, row.after(operation)));
		stops.at(Stop.WRITTEN);
	}

	private void write(Operation operation, int part, Row row) {
		if (operation.kind() == Operation.Kind.REPLACE) {
			update(operation, row, "delete from account where id = ?", row.id());
			update(operation, row, "insert into account (id, amount, entries) values (?, ?, ?)", row.id(), row.amount(),
					row.entries());
		}
		else {
			update(operation, row, "update account set amount = ?, entries = ? where id = ?", row.amount(),
					row.entries(), row.id());
		}
		row.note(this.jdbc, operation, part, Row.owner(row.id()));
	}

	private void update(Operation operation, Row row, String sql, Object... arguments) {
		switch (operation.style()) {
			case PLAIN -> this.jdbc.update(sql, arguments);
			case HELPER -> this.fencedJdbc.update(sql, arguments);
			case NESTED -> this.fencedJdbc.on(Operation.LOCK, row.id()).update(sql, arguments);
		}
	}

}
