--# Hibernate: update of an entity with a version
update berth set length=?,name=?,note=?,occupied=?,state=?,version=? where id=? and version=?
--? [130.25, "North pier", null, true, "BUSY", 1, 1, 0]
--# Hibernate: insert with many columns
insert into step_run (ended,exit_code,exit_message,job,reads,started,status,version,writes,run_id) values (?,?,?,?,?,?,?,?,?,?)
--? [null, "UNKNOWN", "", "billing", 0, "2026-01-08T06:00:00", "STARTING", 0, 0, 200]
--# Hibernate: insert with an identity
insert into ledger (account_no,amount,booked,memo,serial_no) values (?,?,?,?,default)
--? ["A-2", 12.5, "2026-01-03", "rent"]
--# Hibernate: delete of an entity with a version
delete from berth where id=? and version=?
--? [2, 3]
--# Hibernate: HQL bulk update with an alias
update vessel v1_0 set crew=(v1_0.crew+cast(? as integer)) where v1_0.berth_id is not null
--? [2]
--# Hibernate: HQL bulk update with a versioned entity
update vessel v1_0 set version=(v1_0.version+1),name=upper(v1_0.name) where v1_0.crew>? and v1_0.name like ? escape ''
--? [4, "%t%"]
--# Hibernate: HQL bulk delete with a sub-query
delete from vessel v1_0 where exists(select 1 from berth b1_0 where b1_0.id=v1_0.berth_id and b1_0.state=?)
--? ["FREE"]
--# Hibernate: HQL bulk delete of everything
delete from vessel_detail vd1_0
--# Hibernate: joined table, update of the secondary part
update vessel_detail set draft=?,hull=? where vessel_id=?
--? [4.75, "steel", 10]
--# Hibernate: element collection, remove one
delete from vessel_flags where vessel_id=? and flag=?
--? [10, "B"]
--# Hibernate: element collection, insert
insert into vessel_flags (vessel_id,flag) values (?,?)
--? [12, "C"]
--# Hibernate: HQL insert-select
insert into vessel_detail(vessel_id,hull,draft) select v1_0.id,'unknown',cast(v1_0.crew as float(53)) from vessel v1_0 left join vessel_detail d1_0 on d1_0.vessel_id=v1_0.id where d1_0.vessel_id is null
--# Hibernate: HQL insert of several rows
insert into vessel_flags(vessel_id,flag) values (?,?),(?,?),(12,'X')
--? [11, "P", 11, "Q"]
--# Hibernate: HQL bulk update with case
update berth b1_0 set state=case b1_0.state when ? then ? when ? then ? else b1_0.state end
--? ["FREE", "OPEN", "BUSY", "TAKEN"]
--# Hibernate: tuples in the condition
update stock s1_0 set reserved=0 where (s1_0.sku,s1_0.depot) in ((?,?),(?,?))
--? ["rope", 1, "paint", 1]
--# Hibernate: comment of the statement
/* update for dev.fencing.sample.Berth */update berth set state=? where id=?
--? ["SHUT", 4]
--# Hibernate: soft delete
update app_users set deleted_at=? where id=? and deleted_at is null
--? ["2026-01-09T12:00:00", 1]
--# Hibernate: json and array columns
update vessel set meta=? format json,tags=? where id=?
--? ["{\"flag\": \"SE\"}", ["red"], 11]
--# jOOQ: quoted and qualified update
update "PUBLIC"."BERTH" set "PUBLIC"."BERTH"."STATE" = ?, "PUBLIC"."BERTH"."NOTE" = cast(? as varchar) where "PUBLIC"."BERTH"."ID" = ?
--? ["FREE", "swept", 3]
--# jOOQ: update with a row value expression
update "DOCK"."Order Line" set ("QUANTITY", "from") = (?, ?) where ("DOCK"."Order Line"."order" = ? and "DOCK"."Order Line"."select" = ?)
--? [7, "shed 9", 1, "rope"]
--# jOOQ: update with a row of a query
update "PUBLIC"."STOCK" set ("QUANTITY", "PRICE") = (select sum("S"."QUANTITY"), max("S"."PRICE") from "PUBLIC"."STOCK" "S" where "S"."SKU" = "PUBLIC"."STOCK"."SKU") where "PUBLIC"."STOCK"."SKU" = ?
--? ["rope"]
--# jOOQ: delete with row value in
delete from "DOCK"."Order Line" where ("DOCK"."Order Line"."order", "DOCK"."Order Line"."select") in ((cast(? as int), cast(? as varchar)), (?, ?))
--? [1, "paint", 2, "rope"]
--# jOOQ: insert with casts
insert into "PUBLIC"."STOCK" ("SKU", "DEPOT", "QUANTITY", "RESERVED", "PRICE") values (cast(? as varchar), cast(? as int), cast(? as int), cast(? as int), cast(? as numeric(8, 2)))
--? ["hook", 3, 4, 0, 1.10]
--# jOOQ: insert ... select
insert into "PUBLIC"."STOCK" ("SKU", "DEPOT", "QUANTITY") select "S"."SKU", 9, cast(sum("S"."QUANTITY") as int) from "PUBLIC"."STOCK" "S" group by "S"."SKU"
--# jOOQ: insert where nothing is there
insert into "PUBLIC"."BERTH" ("ID", "NAME") select "T"."ID", "T"."NAME" from (select cast(? as bigint) "ID", cast(? as varchar) "NAME") "T" where not exists (select 1 "ONE" from "PUBLIC"."BERTH" where "PUBLIC"."BERTH"."ID" = "T"."ID")
--? [9, "New"]
--# MyBatis: dynamic set with left over white space
update app_users
		 SET nickname = ?,
			
			sign_in_count = ? 
		 
	 where id = ?
--? ["Iduna", 4, 1]
--# MyBatis: foreach of values
insert into vessel_flags (vessel_id, flag)
        values
         
            (?, ?)
         , 
            (?, ?)
--? [10, "K", 11, "L"]
--# MyBatis: foreach in a condition
delete from task_queue
	where id in
	 (  
	   ?
	 , 
	   ?
	 )
--? [4, 5]
--# MyBatis: choose without a match
update account SET status = ?

     WHERE balance < 0   
--? ["OVERDRAWN"]
--# MyBatis-Plus: update wrapper
UPDATE app_users  SET nickname=?,remember_token=?   WHERE (is_active = ? AND (sign_in_count > ? OR email LIKE ?))
--? ["x", null, true, 5, "ida%"]
--# MyBatis-Plus: logical delete
UPDATE app_users SET is_active=false WHERE id IN ( ? , ? ) AND is_active=true
--? [1, 2]
--# MyBatis: case when over ids
update stock set quantity = case
 when sku = ? and depot = ? then ?
 when sku = ? and depot = ? then ?
 else quantity end
where sku in (?, ?)
--? ["rope", 1, 40, "paint", 1, 10, "rope", "paint"]
--# Spring Data JDBC: optimistic update
UPDATE "CARGO" SET "LABEL" = ?, "WEIGHT" = ?, "CREATED_AT" = ?, "VERSION" = ? WHERE "CARGO"."ID" = ? AND "CARGO"."VERSION" = ?
--? ["barley", 12.5, "2026-01-02T00:00:00", 5, 2, 4]
--# Spring Data JDBC: insert
INSERT INTO "CARGO" ("ID", "LABEL", "VERSION", "WEIGHT") VALUES (?, ?, ?, ?)
--? [4, "wool", 0, 3]
--# Spring Data JDBC: delete with version
DELETE FROM "CARGO" WHERE "CARGO"."ID" = ? AND "CARGO"."VERSION" = ?
--? [3, 1]
--# Spring Data JDBC: delete by ids
DELETE FROM "CARGO" WHERE "CARGO"."ID" IN (?, ?)
--? [1, 3]
--# Spring Data JDBC: delete by a path
DELETE FROM "VESSEL_DETAIL" WHERE "VESSEL_DETAIL"."VESSEL_ID" IN (SELECT "VESSEL"."ID" FROM "VESSEL" WHERE "VESSEL"."BERTH_ID" = ?)
--? [4]
--# Spring Data JDBC: delete all
DELETE FROM "CARGO"
--# Spring Batch: update of a step
UPDATE STEP_RUN set STARTED = ?, ENDED = ?, STATUS = ?, READS = ?, WRITES = ?, EXIT_CODE = ?, EXIT_MESSAGE = ?, VERSION = VERSION + 1 where RUN_ID = ? and VERSION = ?
--? ["2026-01-05T08:00:00", "2026-01-05T08:20:00", "COMPLETED", 20, 20, "COMPLETED", "", 100, 1]
--# Spring Session: insert of an attribute by a query
INSERT INTO visit_session_attributes (session_primary_id, attribute_name, attribute_bytes)
SELECT primary_id, ?, cast(? as varbinary)
FROM visit_session
WHERE session_id = ?
--? ["basket", "0a0b", "s-1"]
--# Spring Session: clean up
DELETE FROM visit_session
WHERE expiry_time < ?
--? [70000]
--# Quartz: states of all triggers of a group
UPDATE trigger_slot SET TRIGGER_STATE = ? WHERE SCHED_NAME = 'main' AND (TRIGGER_STATE = ? OR TRIGGER_STATE = ?)
--? ["WAITING", "ACQUIRED", "BLOCKED"]
--# Quartz: insert of a trigger
INSERT INTO trigger_slot (SCHED_NAME, TRIGGER_NAME, TRIGGER_GROUP, TRIGGER_STATE, NEXT_FIRE_TIME, PREV_FIRE_TIME, PRIORITY)  VALUES('main', ?, ?, ?, ?, ?, ?)
--? ["t9", "g9", "WAITING", 9000, -1, 5]
--# ShedLock: take a lock that is over
UPDATE tick_lock SET lock_until = ?, locked_at = ?, locked_by = ? WHERE name = ? AND lock_until <= ?
--? ["2026-01-06T01:00:00", "2026-01-06T00:00:00", "node-c", "nightly", "2026-01-06T00:00:00"]
--# ShedLock: insert
INSERT INTO tick_lock(name, lock_until, locked_at, locked_by) VALUES(?, ?, ?, ?)
--? ["weekly", "2026-01-06T01:00:00", "2026-01-06T00:00:00", "node-c"]
--# Spring Modulith: completion of a publication
UPDATE relay_event SET sent = ? WHERE id = ?
--? ["2026-01-05T09:05:00", "22222222-2222-2222-2222-222222222222"]
--# outbox: claim a portion
UPDATE relay_event SET attempts = attempts + 1
WHERE id IN (SELECT id FROM relay_event WHERE sent IS NULL AND partition_no IN (?, ?) ORDER BY created FETCH FIRST 10 ROWS ONLY)
--? [1, 2]
--# outbox: insert
insert into relay_event(id, topic, payload, created, partition_no) values (?, ?, ?, ?, mod(ora_hash(?), 4))
--? ["44444444-4444-4444-4444-444444444444", "berth.closed", "{\"id\": 3}", "2026-01-05T11:00:00", "3"]
--# Exposed: update with an expression
UPDATE ACCOUNT SET BALANCE=(ACCOUNT.BALANCE + ?), STATUS='OPEN' WHERE (ACCOUNT."NO" = ?) AND (ACCOUNT.STATUS <> 'OPEN')
--? [3, "A-3"]
--# Django: queryset update with F
UPDATE "STOCK" SET "QUANTITY" = ("STOCK"."QUANTITY" - ?), "RESERVED" = CASE WHEN "STOCK"."RESERVED" >= ? THEN ("STOCK"."RESERVED" - ?) ELSE 0 END WHERE ("STOCK"."DEPOT" = ? AND NOT ("STOCK"."SKU" = ?))
--? [1, 3, 3, 1, "paint"]
--# by hand: top-level OR
update berth set occupied = false where state = 'BUSY' or occupied is null or not (length > 100)
--# by hand: no WHERE at all, trailing semicolon
UPDATE stock SET price = price * 1.1;
--# by hand: comments in every place
/* a */ update /* b */ berth /* c */ as /* d */ b /* e */ set /* f */ note /* g */ = /* h ? */ ? /* i */ where /* j */ b.id /* k */ = ? /* l */ ; -- m
--? ["commented", 1]
--# by hand: slash comments
update account // the table ?
set status = 'CHECKED' // where false
where balance > 0 // and status = 'OPEN'
--# by hand: line comments between the clauses
update berth -- the table
set note = 'it''s -- no comment' -- where false
where id = 1 -- or 1 = 1
   or id = 2
--# by hand: literals that look like clauses
update setting set "VALUE" = ' where 1=0; delete from setting -- ?', type = 'returning *' where "KEY" = 'theme'
--# by hand: dollar quotes and backslashes
update setting set "VALUE" = $$it's where ? $$, type = 'C:\' where "VALUE" = 'C:\temp\' or "KEY" = $$theme$$
--# by hand: Unicode, national and binary literals
update setting set "VALUE" = U&'d\0061t', type = N'n' where rawtohex("KEY") = 'x' or "KEY" = 'quote' and x'01' < x'02'
--# by hand: backticks
update `SETTING` set `USER` = `GROUP`, `GROUP` = `USER` where `KEY` <> 'zzz'
--# by hand: quoted keywords in a qualified table
update dock."Order Line" ol set "select" = ol."select" || '!', "from" = null, "where ?" = '?' where ol."order" = 1 and "from" <> '?'
--# by hand: claim of one task
UPDATE task_queue SET phase = 'BUSY', worker = ? WHERE id = (SELECT id FROM task_queue WHERE phase = 'NEW' OR (phase = 'LATER' AND due <= ?) ORDER BY made LIMIT 1)
--? ["w9", "2026-01-05T07:00:00"]
--# by hand: arrays
update vessel set tags = array_append(tags, ?), crew = cardinality(tags) where case when array_contains(tags, ?) then tags[1] <> 'x' else false end
--? ["new", "blue"]
--# by hand: any of an array
delete from account where no = any(?) and balance <= 0
--? [["A-2", "A-4"]]
--# by hand: in unnest
update stock set reserved = 1 where sku in (select * from unnest(cast(? as varchar array))) and price <> all(select 0.04)
--? [["rope", "paint"]]
--# by hand: json values
update vessel set meta = json_object('flag': name, 'crew': crew absent on null), version = version + 1 where meta is json object or (meta)."flag" is null
--# by hand: intervals
update tick_lock set lock_until = lock_until + interval '1:30' hour to minute, locked_at = dateadd(minute, ?, locked_at) where lock_until < timestamp '2026-01-05 05:00:00' + interval '1' hour
--? [5]
--# by hand: clock of the database
update app_users set touched_at = localtimestamp, sign_in_count = 1 where touched_at is null or touched_at < current_timestamp - interval '1' day
--# by hand: extract and between with and
update account set status = 'OLD' where extract(year from opened) between 2019 and 2020 and balance between symmetric 200 and 0
--# by hand: like, ilike and regular expressions
update berth set note = 'm' where name like 'N!%' escape '!' or name ilike 's%' or name regexp '^E' and not name like '%o%'
--# by hand: is distinct from
update vessel set berth_id = null where berth_id is distinct from 1 and name is not distinct from ?
--? ["Bittern"]
--# by hand: set with default and casts
update app_users set sign_in_count = default, nickname = nickname::varchar(60), updated_at = cast('2026-03-03' as timestamp) where nickname > 'B'
--# by hand: a correlated sub-query
update account a set balance = coalesce((select sum(l.amount) from ledger l where l.account_no = a.no), 0), status = (select case when count(*) > 1 then 'MANY' else 'FEW' end from ledger l where l.account_no = a.no)
--# by hand: not exists
delete from account a where not exists (select 1 from ledger l where l.account_no = a.no) and a.status = 'OPEN'
--# by hand: delete with qualify in a sub-select
delete from ledger where serial_no in (select serial_no from ledger qualify row_number() over (partition by account_no order by booked desc) > 1)
--# by hand: delete by the row id
delete from vessel_flags where _rowid_ in (select max(_rowid_) from vessel_flags)
--# by hand: update with a window function in a sub-select
update task_queue t set attempts = (select r.nr from (select id, rank() over (order by made) as nr from task_queue) r where r.id = t.id) where t.phase in ('NEW', 'LATER')
--# by hand: insert select distinct
insert into vessel_flags (vessel_id, flag) select distinct 13, flag from vessel_flags
--# by hand: insert select union, minus
insert into vessel_flags (vessel_id, flag) select id, 'U' from vessel where crew > 10 union select vessel_id, 'U' from vessel_detail minus select 13, 'U'
--# by hand: insert select group by with having
insert into ledger (account_no, amount, memo, booked) select account_no, sum(amount), 'sum', max(booked) from ledger group by account_no having count(*) > 1 order by 1 limit 5
--# by hand: insert select with a named window and qualify
insert into stock (sku, depot, quantity) select sku, 70 + depot, sum(quantity) over w from stock window w as (partition by sku) qualify row_number() over (partition by sku order by depot) = 1
--# by hand: insert with a query behind with
insert into vessel_flags (vessel_id, flag) with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) select i, 'n' from n
--# by hand: insert select from a range
insert into berth (id, name, note) select 1000 + x, 'G' || x, null from system_range(1, ?)
--? [4]
--# by hand: insert select with offset and fetch
insert into vessel_flags (vessel_id, flag) select id, 'late' from vessel order by id desc offset 1 rows fetch next 2 rows with ties
--# by hand: insert select without from
insert into vessel_flags (vessel_id, flag) select ?, ? where not exists (select 1 from vessel_flags where flag = ?)
--? [10, "once", "once"]
--# by hand: insert with default values in a row
insert into stock (sku, depot, quantity, reserved, price) values ('tar', 1, 5, default, default), ('tar', 2, 6, 1, null)
--# by hand: overriding system value
insert into ledger (serial_no, account_no, amount) overriding system value values (?, ?, ?)
--? [900, "A-4", 1]
--# by hand: insert with sub-selects as values
insert into berth (id, name, length) values ((select max(id) + 1 from berth), (select name from vessel order by id limit 1), 3)
--# by hand: no blanks at all
update"BERTH"set"NOTE"='x'where"ID"=1 or"ID"=2
--# by hand: row comparison
update stock set price = 1 where (depot, sku) > (1, 'q') and row(depot, reserved) <> row(2, 5)
--# by hand: upper-case everything with a schema
UPDATE PUBLIC.BERTH B SET B.NOTE = 'UP' WHERE B.STATE IN ('FREE', 'BUSY') AND B.ID <> 3
--# by hand: functions of H2
update berth set note = casewhen(occupied, 'yes', 'no'), name = decode(state, 'FREE', 'f', 'BUSY', 'b', name) where nvl2(note, 1, 0) = 0
