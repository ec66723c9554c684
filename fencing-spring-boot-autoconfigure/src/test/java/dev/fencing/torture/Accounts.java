package dev.fencing.torture;

import java.util.List;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The protected rows, and a journal that the database itself keeps: of registrations as
 * they happen, and of operations at their commit, behind the guard. A registration and a
 * commit of one resource lock the same row, so their order in the journal is the order in
 * which they took effect.
 */
final class Accounts {

	private final JdbcOperations jdbc;

	Accounts(JdbcOperations jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Create the tables, the registry being there.
	 */
	void createTables() {
		this.jdbc.execute("""
				create table account (id integer primary key, amount integer not null, entries text not null default '',
					fencing_token bigint not null default 0);
				create table applied (operation integer not null, part integer not null, account integer not null,
					owner text not null);
				create table journal (seq bigserial primary key, resource text not null, registered bigint,
					operation integer, owner text not null);
				create index on applied (account);
				create index on journal (resource);

				create function journal_registration() returns trigger language plpgsql as
				'begin
					if new.fencing_token > 0 then
						insert into journal (resource, registered, owner)
						values (new.resource_id, new.fencing_token, new.owner);
					end if;
					return null;
				end';
				create trigger registered after insert or update on fencing_generation
				for each row execute function journal_registration();

				create function journal_commit() returns trigger language plpgsql as
				'begin
					insert into journal (resource, operation, owner)
					values (''account:'' || new.account, new.operation, new.owner);
					return null;
				end';
				create constraint trigger committed after insert on applied deferrable initially deferred
				for each row execute function journal_commit();
				""");
	}

	void create(List<Integer> ids) {
		ids.forEach((id) -> this.jdbc.update("insert into account (id, amount) values (?, 0)", id));
	}

	/**
	 * Return what is committed of an operation, as a number that grows with it.
	 */
	int applied(Operation operation) {
		return this.jdbc.queryForList("select 1 from applied where operation = ?", operation.id()).size();
	}

	/**
	 * Read what is there of some accounts when all work on them is over.
	 */
	Books read(List<Integer> ids) {
		Integer[] accounts = ids.toArray(Integer[]::new);
		String[] resources = ids.stream().map(Operation::resource).toArray(String[]::new);
		List<Books.Account> rows = this.jdbc.query(
				"select id, amount, entries from account where id = any (?) order by id",
				(row, number) -> new Books.Account(row.getInt(1), row.getInt(2), row.getString(3)), (Object) accounts);
		List<Books.Applied> applied = this.jdbc.query(
				"select operation, part, account from applied where account = any (?)",
				(row, number) -> new Books.Applied(row.getInt(1), row.getInt(2), row.getInt(3)), (Object) accounts);
		List<Books.Entry> journal = this.jdbc.query(
				"""
						select resource, registered, operation, owner from journal
						where resource = any (?) order by seq""", (row, number) -> new Books.Entry(row.getString(1),
						row.getObject(2, Long.class), row.getObject(3, Integer.class), row.getString(4)),
				(Object) resources);
		return new Books(rows, applied, journal);
	}

}
