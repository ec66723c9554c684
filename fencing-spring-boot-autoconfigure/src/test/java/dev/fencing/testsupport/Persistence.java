package dev.fencing.testsupport;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/**
 * A transaction manager, and a write in its transactions that knows nothing of tokens.
 */
public final class Persistence implements AutoCloseable {

	private final AbstractPlatformTransactionManager manager;

	private final JdbcTemplate jdbc;

	private final @Nullable JpaUnit jpa;

	private Persistence(AbstractPlatformTransactionManager manager, DataSource dataSource, @Nullable JpaUnit jpa) {
		this.manager = manager;
		this.jdbc = new JdbcTemplate(dataSource);
		this.jpa = jpa;
	}

	public AbstractPlatformTransactionManager manager() {
		return this.manager;
	}

	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/**
	 * Add 1 to the amount of the only {@link Tally}, from what is read there.
	 */
	public void increment() {
		if (this.jpa != null) {
			Tally tally = this.jpa.entityManager().find(Tally.class, 1L);
			tally.setAmount(tally.getAmount() + 1);
		}
		else {
			this.jdbc.update("update tally set amount = ? where id = 1", amount() + 1);
		}
	}

	public int amount() {
		Integer amount = this.jdbc.queryForObject("select amount from tally where id = 1", Integer.class);
		return (amount != null) ? amount : -1;
	}

	@Override
	public void close() {
		if (this.jpa != null) {
			this.jpa.close();
		}
	}

	/**
	 * What Spring has for one database.
	 */
	public enum Kind {

		DATA_SOURCE {
			@Override
			public Persistence on(DataSource dataSource) {
				return new Persistence(new DataSourceTransactionManager(dataSource), dataSource, null);
			}
		},

		JDBC {
			@Override
			public Persistence on(DataSource dataSource) {
				return new Persistence(new JdbcTransactionManager(dataSource), dataSource, null);
			}
		},

		JPA {
			@Override
			public Persistence on(DataSource dataSource) {
				JpaUnit unit = JpaUnit.on(dataSource, Tally.class);
				return new Persistence(unit.transactionManager(), dataSource, unit);
			}
		};

		/**
		 * Set it up over a data source, not guarded.
		 */
		public abstract Persistence on(DataSource dataSource);

	}

}
