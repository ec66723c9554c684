package dev.fencing.testsupport;

import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * A number in the database, as an entity that knows nothing of tokens.
 */
@Entity
@Table(name = "tally")
public class Tally {

	private static final AtomicBoolean refusing = new AtomicBoolean();

	@Id
	private long id;

	private int amount;

	/**
	 * Create its table, with one row.
	 * @param jdbc the database
	 */
	public static void createTable(JdbcOperations jdbc) {
		jdbc.execute("create table tally (id bigint primary key, amount int not null)");
		jdbc.execute("insert into tally values (1, 0)");
	}

	/**
	 * Let the next flush of a change fail.
	 */
	public static void refuseNextUpdate() {
		refusing.set(true);
	}

	@PreUpdate
	void beforeUpdate() {
		if (refusing.getAndSet(false)) {
			throw new UnsupportedOperationException("Refused by a callback");
		}
	}

	public long getId() {
		return this.id;
	}

	public void setId(long id) {
		this.id = id;
	}

	public int getAmount() {
		return this.amount;
	}

	public void setAmount(int amount) {
		this.amount = amount;
	}

}
