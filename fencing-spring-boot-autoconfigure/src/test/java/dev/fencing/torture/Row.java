package dev.fencing.torture;

import java.util.Objects;

import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.FencingContextHolder;
import dev.fencing.transaction.Acquisition;

/**
 * A protected row as an owner has read it, or is about to write it.
 */
record Row(int id, int amount, String entries, long token) {

	static Row read(JdbcOperations jdbc, int id) {
		return Objects
			.requireNonNull(jdbc.queryForObject("select id, amount, entries, fencing_token from account where id = ?",
					(row, number) -> new Row(row.getInt(1), row.getInt(2), row.getString(3), row.getLong(4)), id));
	}

	/**
	 * Return the row as an operation leaves it.
	 */
	Row after(Operation operation) {
		String more = (operation.kind() == Operation.Kind.APPEND) ? operation.id() + "," : "";
		return new Row(this.id, this.amount + operation.change(this.id), this.entries + more, this.token);
	}

	/**
	 * Note in the database that a part of an operation is applied to the row: the trigger
	 * behind that writes the journal.
	 */
	void note(JdbcOperations jdbc, Operation operation, int part, String owner) {
		jdbc.update("insert into applied (operation, part, account, owner) values (?, ?, ?, ?)", operation.id(), part,
				this.id, owner);
	}

	/**
	 * Return the acquisition of the current thread that a row is under.
	 */
	static String owner(int id) {
		return ((Acquisition) Objects.requireNonNull(FencingContextHolder.find(Operation.resource(id)))).owner();
	}

}
