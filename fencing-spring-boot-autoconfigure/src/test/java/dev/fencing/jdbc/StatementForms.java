package dev.fencing.jdbc;

import java.util.List;

import static dev.fencing.jdbc.SqlDialect.H2;
import static dev.fencing.jdbc.SqlDialect.MYSQL;
import static dev.fencing.jdbc.SqlDialect.POSTGRESQL;
import static dev.fencing.jdbc.StatementForm.Outcome.GUARDED;
import static dev.fencing.jdbc.StatementForm.Outcome.GUARDED_ON_MARIADB;
import static dev.fencing.jdbc.StatementForm.Outcome.GUARDED_ON_MYSQL;
import static dev.fencing.jdbc.StatementForm.Outcome.REFUSED;
import static dev.fencing.jdbc.StatementForm.Outcome.UNKNOWN;

/**
 * The forms of statements that the documentation lists. The examples run on the tables of
 * {@link StatementFormTables}; each guarded one changes some of their rows.
 */
final class StatementForms {

	static final List<StatementForm> ALL = List.of(
			StatementForm.of("UPDATE").elsewhere(GUARDED, "update parcel set state = ? where id = ?", "SENT", 1),
			StatementForm.of("UPDATE of all rows").elsewhere(GUARDED, "update parcel set prio = prio + ?", 100),
			StatementForm.of("OR at the top of the WHERE")
				.elsewhere(GUARDED, "update parcel set state = ? where state = 'NEW' or prio > ?", "SENT", 35),
			StatementForm.of("NOT at the top of the WHERE")
				.elsewhere(GUARDED, "update parcel set state = ? where not (prio > ? and depot < ?)", "SENT", 15, 99),
			StatementForm.of("names with a schema and in quotes")
				.on(MYSQL, GUARDED, "update warehouse.`Order` set `state` = ? where `no` = ?", "PAID", 1)
				.elsewhere(GUARDED, "update \"warehouse\".\"Order\" set \"state\" = ? where \"no\" = ?", "PAID", 1),
			StatementForm.of("columns named like keywords")
				.on(MYSQL, GUARDED,
						"update warehouse.`Order` set `from` = ?, `limit` = `limit` + 1 where `where` = ? or `set` is null",
						"Bern", "a")
				.elsewhere(GUARDED, """
						update "warehouse"."Order" set "from" = ?, "limit" = "limit" + 1 \
						where "where" = ? or "set" is null""", "Bern", "a"),
			StatementForm.of("names in backticks")
				.on(POSTGRESQL, REFUSED, "update `parcel` set `state` = ? where `id` = ?", "SENT", 1)
				.elsewhere(GUARDED, "update `parcel` set `state` = ? where `id` = ?", "SENT", 1),
			StatementForm.of("names in square brackets")
				.elsewhere(REFUSED, "update [parcel] set [state] = ? where [id] = ?", "SENT", 1),
			StatementForm.of("alias").elsewhere(GUARDED, "update parcel as p set state = ? where p.id = ?", "SENT", 1),
			StatementForm.of("UPDATE ONLY")
				.on(POSTGRESQL, GUARDED, "update only parcel set state = ? where id = ?", "SENT", 1)
				.elsewhere(UNKNOWN, "update only parcel set state = ? where id = ?", "SENT", 1),
			StatementForm.of("sub-select in the WHERE")
				.elsewhere(GUARDED, "update parcel set state = ? where depot in (select id from depot where city = ?)",
						"SENT", "Bern"),
			StatementForm.of("sub-select as a value")
				.elsewhere(GUARDED,
						"update parcel set note = (select city from depot where id = parcel.depot) where prio > ?", 15),
			StatementForm.of("row chosen by a sub-select, FOR UPDATE SKIP LOCKED").on(POSTGRESQL, GUARDED, """
					update parcel set state = ? where id = (select id from parcel where state = 'NEW' \
					order by prio limit 1 for update skip locked)""", "SENT").on(H2, GUARDED, """
					update parcel set state = ? where id = (select id from parcel where state = 'NEW' \
					order by prio limit 1 for update skip locked)""", "SENT").elsewhere(GUARDED, """
					update parcel set state = ? where id = (select id from (select id from parcel \
					where state = 'NEW' order by prio limit 1 for update skip locked) chosen)""", "SENT"),
			StatementForm.of("tuple assignment")
				.on(MYSQL, UNKNOWN, "update parcel set (state, prio) = (?, ?) where id = ?", "SENT", 7, 1)
				.elsewhere(GUARDED, "update parcel set (state, prio) = (?, ?) where id = ?", "SENT", 7, 1),
			StatementForm.of("casts")
				.on(MYSQL, GUARDED, "update parcel set prio = cast(? as signed) where id = cast(? as signed)", "7", "1")
				.elsewhere(GUARDED, "update parcel set prio = ?::int where id = cast(? as int)", "7", "1"),
			StatementForm.of("arrays")
				.on(MYSQL, UNKNOWN, "update parcel set tags = array[?, ?] where tags[1] = ?", "a", "b", "blue")
				.on(POSTGRESQL, GUARDED, "update parcel set tags = array[?, ?]::text[] where tags[1] = ?", "a", "b",
						"blue")
				.elsewhere(GUARDED, "update parcel set tags = array['a', cast(? as varchar)] where tags[1] = ?", "b",
						"blue"),
			StatementForm.of("JSON operators ?, ?|, @> and #>>, written ?? for the driver")
				.elsewhere(REFUSED, "update parcel set state = ? where attributes ?? 'size'", "SENT")
				.on(POSTGRESQL, GUARDED, """
						update parcel set state = ? where attributes ?? 'size' and attributes ??| array[?, ?] \
						and attributes @> ?::jsonb and attributes #>> '{size,unit}' = ?""", "SENT", "size", "x",
						"{\"size\": {\"unit\": \"kg\"}}", "kg"),
			StatementForm.of("JSON functions")
				.on(MYSQL, GUARDED, "update parcel set state = ? where json_value(attributes, '$.size.unit') = ?",
						"SENT", "kg")
				.on(POSTGRESQL, GUARDED,
						"update parcel set state = ? where jsonb_path_exists(attributes, '$.size ? (@.unit == \"kg\")')",
						"SENT")
				.elsewhere(GUARDED, "update parcel set state = ? where json_object('id': id) = json_object('id': ?)",
						"SENT", 1),
			StatementForm.of("literals that look like SQL")
				.elsewhere(GUARDED,
						"update parcel set note = 'it''s ? :x ; -- WHERE /* \"' where id = ? and note <> '?'", 1),
			StatementForm.of("dollar quotes")
				.on(MYSQL, REFUSED, "update parcel set note = $$it's ? WHERE$$ where id = ?", 1)
				.on(POSTGRESQL, GUARDED, "update parcel set note = $q$it's $$ ? WHERE$q$ where id = ?", 1)
				.elsewhere(GUARDED, "update parcel set note = $$it's ? WHERE$$ where id = ?", 1),
			StatementForm.of("backslashes that escape a quote")
				.on(POSTGRESQL, GUARDED, "update parcel set note = E'it\\'s ? WHERE' where id = ?", 1)
				.on(MYSQL, GUARDED, "update parcel set note = 'it\\'s ? WHERE' where id = ?", 1)
				.elsewhere(REFUSED, "update parcel set note = 'it\\'s ? WHERE' where id = ?", 1),
			StatementForm.of("backslashes that escape nothing")
				.on(MYSQL, REFUSED, "update parcel set note = 'C:\\' where id = ?", 1)
				.elsewhere(GUARDED, "update parcel set note = 'C:\\' where id = ?", 1),
			StatementForm.of("national strings")
				.elsewhere(GUARDED, "update parcel set note = N'Zürich ?' where id = ?", 1),
			StatementForm.of("comments and hints").on(MYSQL, GUARDED, """
					/* route */ update /*+ NO_MERGE(p) */ parcel p -- ? where
					set /* ? */ state = ? # ';'
					where/**/id = ? /* end */""", "SENT", 1).elsewhere(GUARDED, """
					/*+ IndexScan(p) */ update /* ? /* nested */ */ parcel p -- ? where
					set /* ? */ state = ? -- ';'
					where/**/id = ? /* end */""", "SENT", 1),
			StatementForm.of("comments that the server runs")
				.on(MYSQL, REFUSED, "update parcel set state = ? /*! , prio = 0 */ where id = ?", "SENT", 1)
				.elsewhere(GUARDED, "update parcel set state = ? /*! , prio = 0 */ where id = ?", "SENT", 1),
			StatementForm.of("semicolon at the end")
				.elsewhere(GUARDED, "update parcel set state = ? where id = ?;", "SENT", 1),
			StatementForm.of("line comment at the end")
				.elsewhere(GUARDED, "update parcel set state = ? where id = ? -- the last one", "SENT", 1),
			StatementForm.of("UPDATE ... FROM")
				.on(POSTGRESQL, GUARDED,
						"update parcel p set note = d.city from depot d where d.id = p.depot and p.prio > ?", 15)
				.elsewhere(REFUSED,
						"update parcel p set note = d.city from depot d where d.id = p.depot and p.prio > ?", 15),
			StatementForm.of("UPDATE ... FROM unnest(arrays)")
				.elsewhere(REFUSED,
						"update parcel p set state = v.state from unnest(?, ?) as v (id, state) where p.id = v.id",
						new Integer[] { 1, 3 }, new String[] { "SENT", "SEEN" })
				.on(POSTGRESQL, GUARDED, """
						update parcel as p set state = v.state from unnest(?::int[], ?::text[]) as v (id, state) \
						where p.depot = ? and p.id = v.id""", new Integer[] { 1, 3 }, new String[] { "SENT", "SEEN" },
						5),
			StatementForm.of("DELETE ... USING")
				.on(POSTGRESQL, GUARDED, "delete from parcel p using depot d where d.id = p.depot and d.city = ?",
						"Bern")
				.elsewhere(REFUSED, "delete from parcel using parcel join depot on depot.id = parcel.depot"),
			StatementForm.of("UPDATE of joined tables")
				.elsewhere(REFUSED,
						"update parcel p join depot d on d.id = p.depot set p.note = d.city where p.prio > ?", 15),
			StatementForm.of("DELETE from joined tables")
				.elsewhere(REFUSED, "delete p from parcel p join depot d on d.id = p.depot where d.city = ?", "Bern"),
			StatementForm.of("WITH before the statement")
				.on(H2, REFUSED, """
						with chosen as (select id from parcel where prio > ?) \
						update parcel set state = ? where id in (select id from chosen)""", 15, "SENT")
				.on(MYSQL, GUARDED_ON_MYSQL, """
						with chosen as (select id from depot where city = ?) \
						update parcel set state = ? where depot in (select id from chosen)""", "Bern", "SENT")
				.elsewhere(GUARDED, """
						with chosen as (select id from parcel where prio > ?) \
						update parcel set state = ? where id in (select id from chosen)""", 15, "SENT"),
			StatementForm.of("WITH that writes").elsewhere(REFUSED, """
					with gone as (delete from parcel where id = ? returning id) \
					update depot set state = 'FREE' where id in (select id from gone)""", 1),
			StatementForm.of("UPDATE ... RETURNING")
				.on(POSTGRESQL, GUARDED, "update parcel set state = ? where id = ? returning id, state", "SENT", 1)
				.on(H2, REFUSED, "update parcel set state = ? where id = ? returning id, state", "SENT", 1)
				.elsewhere(UNKNOWN, "update parcel set state = ? where id = ? returning id, state", "SENT", 1),
			StatementForm.of("DELETE ... RETURNING")
				.on(H2, REFUSED, "delete from parcel where id = ? returning *", 1)
				.on(MYSQL, GUARDED_ON_MARIADB, "delete from parcel where id = ? returning *", 1)
				.elsewhere(GUARDED, "delete from parcel where id = ? returning *", 1),
			StatementForm.of("INSERT ... RETURNING")
				.on(H2, REFUSED, "insert into parcel (id, state) values (?, ?) returning id", 9, "NEW")
				.on(MYSQL, GUARDED_ON_MARIADB, "insert into parcel (id, state) values (?, ?) returning id", 9, "NEW")
				.elsewhere(GUARDED, "insert into parcel (id, state) values (?, ?) returning id", 9, "NEW"),
			StatementForm.of("ORDER BY ... LIMIT")
				.elsewhere(REFUSED, "update parcel set state = ? where state = 'NEW' order by prio limit 2", "SENT"),
			StatementForm.of("FETCH FIRST")
				.elsewhere(REFUSED, "delete from parcel where state = 'NEW' fetch first 2 rows only"),
			StatementForm.of("WHERE CURRENT OF")
				.elsewhere(REFUSED, "update parcel set state = ? where current of parcels", "SENT"),
			StatementForm.of("TOP and OUTPUT")
				.elsewhere(REFUSED, "update top (5) parcel set state = ? output inserted.id where state = 'NEW'",
						"SENT"),
			StatementForm.of("UPDATE IGNORE")
				.on(MYSQL, REFUSED, "update ignore parcel set state = ? where id = ?", "SENT", 1)
				.elsewhere(UNKNOWN, "update ignore parcel set state = ? where id = ?", "SENT", 1),
			StatementForm.of("DELETE").elsewhere(GUARDED, "delete from parcel where id = ?", 1),
			StatementForm.of("DELETE with an alias")
				.on(MYSQL, GUARDED_ON_MYSQL, "delete from parcel p where p.prio > ?", 15)
				.elsewhere(GUARDED, "delete from parcel p where p.prio > ?", 15),
			StatementForm.of("DELETE of all rows").elsewhere(GUARDED, "delete from parcel"),
			StatementForm.of("INSERT ... VALUES")
				.elsewhere(GUARDED, "insert into parcel (id, state, prio) values (?, ?, ?)", 9, "NEW", 7),
			StatementForm.of("INSERT of several rows")
				.elsewhere(GUARDED, "insert into parcel (id, state, prio) values (?, ?, ?), (?, 'it''s', ?)", 8, "NEW",
						7, 9, 6),
			StatementForm.of("INSERT ... SELECT")
				.elsewhere(GUARDED, "insert into parcel (id, note) select id + ?, city from depot where city = ?", 100,
						"Bern"),
			StatementForm.of("INSERT ... SELECT ... UNION").elsewhere(GUARDED, """
					insert into parcel (id, note) select id + 100, city from depot where city = ? \
					union all select id + 200, city from depot where city <> ?""", "Bern", "Bern"),
			StatementForm.of("INSERT without columns")
				.elsewhere(REFUSED, "insert into depot values (?, ?, ?, ?)", 9, "Genf", "OPEN", 0),
			StatementForm.of("INSERT ... DEFAULT VALUES").elsewhere(REFUSED, "insert into depot default values"),
			StatementForm.of("INSERT ... SET")
				.on(MYSQL, GUARDED, "insert into parcel set id = ?, state = ?", 9, "NEW")
				.elsewhere(REFUSED, "insert into parcel set id = ?, state = ?", 9, "NEW"),
			StatementForm.of("INSERT IGNORE")
				.on(MYSQL, GUARDED, "insert ignore into parcel (id, state) values (?, ?), (?, ?)", 1, "a", 9, "b")
				.elsewhere(REFUSED, "insert ignore into parcel (id, state) values (?, ?), (?, ?)", 1, "a", 9, "b"),
			StatementForm.of("ON CONFLICT DO NOTHING")
				.on(MYSQL, REFUSED, "insert into parcel (id, state) values (?, ?), (?, ?) on conflict do nothing", 1,
						"a", 9, "b")
				.on(H2, UNKNOWN, "insert into parcel (id, state) values (?, ?), (?, ?) on conflict do nothing", 1, "a",
						9, "b")
				.elsewhere(GUARDED, "insert into parcel (id, state) values (?, ?), (?, ?) on conflict do nothing", 1,
						"a", 9, "b"),
			StatementForm.of("ON CONFLICT DO UPDATE")
				.on(POSTGRESQL, GUARDED, """
						insert into parcel (id, state, prio) values (?, ?, ?), (?, ?, ?) on conflict (id) \
						do update set state = excluded.state, prio = parcel.prio + 1""", 1, "a", 5, 9, "b", 6)
				.elsewhere(REFUSED, """
						insert into parcel (id, state, prio) values (?, ?, ?), (?, ?, ?) on conflict (id) \
						do update set state = excluded.state, prio = parcel.prio + 1""", 1, "a", 5, 9, "b", 6),
			StatementForm.of("ON CONFLICT DO UPDATE ... WHERE")
				.on(POSTGRESQL, GUARDED, """
						insert into parcel as p (id, state) values (?, ?), (?, ?) on conflict (id) \
						do update set state = excluded.state where p.prio > ? or p.state = 'LOST'""", 1, "a", 2, "b",
						15)
				.elsewhere(REFUSED, """
						insert into parcel as p (id, state) values (?, ?), (?, ?) on conflict (id) \
						do update set state = excluded.state where p.prio > ? or p.state = 'LOST'""", 1, "a", 2, "b",
						15),
			StatementForm.of("INSERT ... SELECT ... ON CONFLICT DO UPDATE").on(POSTGRESQL, GUARDED, """
					insert into parcel (id, note) select id - 4, city from depot where city = ? \
					on conflict (id) do update set note = excluded.note""", "Bern").elsewhere(REFUSED, """
					insert into parcel (id, note) select id - 4, city from depot where city = ? \
					on conflict (id) do update set note = excluded.note""", "Bern"),
			StatementForm.of("ON CONFLICT ON CONSTRAINT").elsewhere(REFUSED, """
					insert into parcel (id, state) values (?, ?) on conflict on constraint parcel_pkey \
					do update set state = excluded.state""", 1, "a"),
			StatementForm.of("ON CONFLICT of an expression").elsewhere(REFUSED, """
					insert into depot (id, city) values (?, ?) on conflict (lower(city)) \
					do update set state = 'OPEN'""", 9, "Bern"),
			StatementForm.of("ON DUPLICATE KEY UPDATE")
				.on(MYSQL, GUARDED, """
						insert into parcel (id, state, prio) values (?, ?, ?), (?, ?, ?) \
						on duplicate key update state = values(state), prio = prio + ?""", 1, "a", 5, 9, "b", 6, 7)
				.elsewhere(REFUSED, """
						insert into parcel (id, state, prio) values (?, ?, ?), (?, ?, ?) \
						on duplicate key update state = values(state), prio = prio + ?""", 1, "a", 5, 9, "b", 6, 7),
			StatementForm.of("ON DUPLICATE KEY UPDATE with a name for the new row").on(MYSQL, GUARDED_ON_MYSQL, """
					insert into parcel (id, state) values (?, ?) as n \
					on duplicate key update state = n.state""", 1, "a").elsewhere(REFUSED, """
					insert into parcel (id, state) values (?, ?) as n \
					on duplicate key update state = n.state""", 1, "a"),
			StatementForm.of("REPLACE").elsewhere(REFUSED, "replace into parcel (id, state) values (?, ?)", 1, "a"),
			StatementForm.of("MERGE").elsewhere(REFUSED, """
					merge into parcel p using depot d on d.id = p.depot \
					when matched then update set note = d.city"""),
			StatementForm.of("MERGE ... KEY")
				.elsewhere(REFUSED, "merge into parcel (id, state) key (id) values (?, ?)", 1, "a"),
			StatementForm.of("FINAL TABLE")
				.elsewhere(REFUSED, "select id from final table (update parcel set state = ?)", "SENT"),
			StatementForm.of("several statements")
				.elsewhere(REFUSED, "update parcel set state = ? where id = ?; update depot set state = ? where id = ?",
						"SENT", 1, "FULL", 5),
			StatementForm.of("procedures and blocks").elsewhere(REFUSED, "call dispatch(?)", 1),
			StatementForm.of("TRUNCATE").elsewhere(REFUSED, "truncate table parcel"),
			StatementForm.of("DDL").elsewhere(REFUSED, "drop table parcel"),
			StatementForm.of("queries").elsewhere(REFUSED, "select * from parcel where id = ? for update", 1),
			StatementForm.of("named parameter among positional ones")
				.elsewhere(REFUSED, "update parcel set state = ? where id = :id", "SENT"),
			StatementForm.of("numbered placeholder")
				.elsewhere(REFUSED, "update parcel set state = ?1 where id = ?2", "SENT", 1),
			StatementForm.of("your own guard").elsewhere(GUARDED, """
					update parcel set state = ?, fencing_token = :fencingToken \
					where id = ? and fencing_token < :fencingToken""", "SENT", 1),
			StatementForm.of("your own guard of a DELETE")
				.elsewhere(GUARDED, "delete from parcel where prio > ? and :fencingToken > fencing_token", 15),
			StatementForm.of("your own stamp of an INSERT")
				.elsewhere(GUARDED, "insert into parcel (fencing_token, id, state) values (:fencingToken, ?, ?)", 9,
						"NEW"),
			StatementForm.of("your own guard that is only an alternative").elsewhere(REFUSED, """
					update parcel set state = ?, fencing_token = :fencingToken \
					where id = ? or fencing_token < :fencingToken""", "SENT", 1),
			StatementForm.of("your own value for the token column")
				.elsewhere(REFUSED, "update parcel set state = ?, fencing_token = 0 where id = ?", "SENT", 1));

	private StatementForms() {
	}

}
