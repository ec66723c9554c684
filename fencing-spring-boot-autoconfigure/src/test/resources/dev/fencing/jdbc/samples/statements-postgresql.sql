--# Hibernate: update of an entity with a version
update berth set length=?,name=?,note=?,occupied=?,state=?,version=? where id=? and version=?
--? [130.25, "North pier", null, true, "BUSY", 1, 1, 0]
--# Hibernate: update of an entity without a version
update account set balance=?,limit_amount=?,opened=?,status=? where no=?
--? [17.50, 60, "2020-02-01", "OPEN", "A-1"]
--# Hibernate: delete of an entity with a version
delete from berth where id=? and version=?
--? [2, 3]
--# Hibernate: insert with many columns
insert into step_run (ended,exit_code,exit_message,job,reads,started,status,version,writes,run_id) values (?,?,?,?,?,?,?,?,?,?)
--? [null, "UNKNOWN", "", "billing", 0, "2026-01-08T06:00:00", "STARTING", 0, 0, 200]
--# Hibernate: insert that reads the identity
insert into ledger (account_no,amount,booked,memo) values (?,?,?,?) returning serial_no
--? ["A-2", 12.5, "2026-01-03", "rent"]
--# Hibernate: HQL bulk update with an alias
update vessel v1_0 set crew=(v1_0.crew+?) where v1_0.berth_id is not null
--? [2]
--# Hibernate: HQL bulk update with a versioned entity
update vessel v1_0 set version=(v1_0.version+1),name=upper(v1_0.name) where v1_0.crew>? and v1_0.name like ? escape ''
--? [4, "%t%"]
--# Hibernate: HQL bulk delete with a sub-query
delete from vessel v1_0 where exists(select 1 from berth b1_0 where b1_0.id=v1_0.berth_id and b1_0.state=?)
--? ["FREE"]
--# Hibernate: HQL bulk delete of everything
delete from vessel_detail vd1_0
--# Hibernate: HQL bulk update over a path
update vessel v1_0 set name=? where v1_0.id in (select v2_0.id from vessel v2_0 join berth b1_0 on b1_0.id=v2_0.berth_id where b1_0.name=?)
--? ["Gull", "South"]
--# Hibernate: joined table, update of the secondary part
update vessel_detail set draft=?,hull=? where vessel_id=?
--? [4.75, "steel", 10]
--# Hibernate: optional secondary table, upsert
insert into vessel_detail as tgt (draft,hull,vessel_id) values (?,?,?) on conflict(vessel_id) do update set draft=excluded.draft,hull=excluded.hull
--? [1.25, "elm", 12]
--# Hibernate: element collection, remove one
delete from vessel_flags where vessel_id=? and flag=?
--? [10, "B"]
--# Hibernate: element collection, clear
delete from vessel_flags where vessel_id=?
--? [10]
--# Hibernate: element collection, insert
insert into vessel_flags (vessel_id,flag) values (?,?)
--? [12, "C"]
--# Hibernate: element collection, update of an element
update vessel_flags set flag=? where vessel_id=? and flag=?
--? ["Z", 10, "A"]
--# Hibernate: HQL insert-select
insert into vessel_detail(vessel_id,hull,draft) select v1_0.id,'unknown',cast(v1_0.crew as float8) from vessel v1_0 left join vessel_detail d1_0 on d1_0.vessel_id=v1_0.id where d1_0.vessel_id is null
--# Hibernate: HQL insert of several rows
insert into vessel_flags(vessel_id,flag) values (?,?),(?,?),(12,'X')
--? [11, "P", 11, "Q"]
--# Hibernate: HQL bulk update with case
update berth b1_0 set state=case b1_0.state when ? then ? when ? then ? else b1_0.state end
--? ["FREE", "OPEN", "BUSY", "TAKEN"]
--# Hibernate: HQL bulk update with a tuple in the condition
update stock s1_0 set reserved=0 where (s1_0.sku,s1_0.depot) in ((?,?),(?,?))
--? ["rope", 1, "paint", 1]
--# Hibernate: HQL bulk update with coalesce and a literal
update app_users au1_0 set nickname=coalesce(au1_0.nickname,'nobody'),sign_in_count=(coalesce(au1_0.sign_in_count,0)+1) where au1_0.deleted_at is null or au1_0.deleted_at>?
--? ["2025-05-01T00:00:00"]
--# Hibernate: comment of the statement
/* update for dev.fencing.sample.Berth */update berth set state=? where id=?
--? ["SHUT", 4]
--# Hibernate: dynamic update, one column
update vessel set meta=?::jsonb where id=?
--? ["{\"flag\": \"SE\"}", 11]
--# Hibernate: soft delete
update app_users set deleted_at=? where id=? and deleted_at is null
--? ["2026-01-09T12:00:00", 1]
--# jOOQ: quoted and qualified update
update "public"."berth" set "state" = ?, "note" = cast(? as text) where "public"."berth"."id" = ?
--? ["FREE", "swept", 3]
--# jOOQ: update with a row value expression
update "dock"."Order Line" set ("quantity", "from") = row (?, ?) where ("dock"."Order Line"."order" = ? and "dock"."Order Line"."select" = ?)
--? [7, "shed 9", 1, "rope"]
--# jOOQ: update with a row of a query
update "public"."stock" set ("quantity", "price") = (select sum("s"."quantity"), max("s"."price") from "public"."stock" as "s" where "s"."sku" = "public"."stock"."sku") where "public"."stock"."sku" = ?
--? ["rope"]
--# jOOQ: update ... from
update "public"."vessel" set "name" = ("public"."vessel"."name" || ' @ ' || "b"."name") from "public"."berth" as "b" where ("public"."vessel"."berth_id" = "b"."id" and "b"."occupied" = ?)
--? [true]
--# jOOQ: update returning
update "public"."account" set "balance" = ("public"."account"."balance" - cast(? as numeric)) where ("public"."account"."no" = ? and "public"."account"."balance" >= cast(? as numeric)) returning "public"."account"."no", "public"."account"."balance"
--? [40, "A-1", 40]
--# jOOQ: delete with quoted names
delete from "dock"."Order Line" where "dock"."Order Line"."where ?" is null
--# jOOQ: delete with row value in
delete from "dock"."Order Line" where ("dock"."Order Line"."order", "dock"."Order Line"."select") in ((cast(? as int), cast(? as text)), (cast(? as int), cast(? as text)))
--? [1, "paint", 2, "rope"]
--# jOOQ: delete returning star
delete from "public"."task_queue" where "public"."task_queue"."phase" = 'DONE' returning *
--# jOOQ: insert with casts
insert into "public"."stock" ("sku", "depot", "quantity", "reserved", "price") values (cast(? as text), cast(? as int), cast(? as int), cast(? as int), cast(? as numeric))
--? ["hook", 3, 4, 0, 1.10]
--# jOOQ: onDuplicateKeyUpdate
insert into "public"."stock" ("sku", "depot", "quantity") values (?, ?, ?) on conflict ("sku", "depot") do update set "quantity" = ("public"."stock"."quantity" + excluded."quantity")
--? ["rope", 1, 3]
--# jOOQ: onConflict doUpdate where, returning
insert into "public"."account" as "a" ("no", "balance", "status") values (?, ?, ?) on conflict ("no") do update set "balance" = excluded."balance", "status" = excluded."status" where "a"."status" <> ? returning "a"."no", "a"."status"
--? ["A-2", 5, "OPEN", "FROZEN"]
--# jOOQ: onConflictDoNothing
insert into "public"."berth" ("id", "name") values (?, ?), (?, ?) on conflict do nothing
--? [1, "Nowhere", 9, "New"]
--# jOOQ: onConflict of columns, do nothing, returning
insert into "public"."app_users" ("id", "email") values (?, ?), (?, ?) on conflict ("email") do nothing returning "public"."app_users"."id"
--? [7, "dee@example.test", 8, "bo@example.test"]
--# jOOQ: insert ... select
insert into "public"."sensor_reading" ("sensor", "hour", "value", "samples") select 'all', "r"."hour", avg("r"."value"), cast(sum("r"."samples") as int) from "public"."sensor_reading" as "r" group by "r"."hour"
--# jOOQ: merge by from values
update "public"."stock" set "price" = "v"."price" from (values (?, cast(? as numeric)), (?, cast(? as numeric))) as "v" ("sku", "price") where "public"."stock"."sku" = "v"."sku"
--? ["rope", 11.5, "nail", 0.06]
--# jOOQ: with and update
with "busy" ("id") as (select "public"."berth"."id" from "public"."berth" where "public"."berth"."state" = ?) update "public"."vessel" set "crew" = 0 where "public"."vessel"."berth_id" in (select "busy"."id" from "busy")
--? ["BUSY"]
--# jOOQ: with and delete using
with "low" as (select "sku" from "stock" group by "sku" having sum("quantity") < ?) delete from "stock" using "low" where "stock"."sku" = "low"."sku"
--? [51]
--# jOOQ: with and insert
with "w" as (select ? as "a", cast(? as bigint) as "b") insert into "vessel_flags" ("vessel_id", "flag") select "w"."b", "w"."a" from "w"
--? ["flagged", 13]
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
         , 
            (?, ?)
--? [10, "K", 11, "L", 12, "M"]
--# MyBatis: foreach in a condition
delete from task_queue
	where id in
	 (  
	   ?
	 , 
	   ?
	 )
--? [4, 5]
--# MyBatis: where tag with OR inside
UPDATE   berth   SET note   =   ?
  WHERE   (  state = ?
	or   length  >  ?  )
   AND 1 = 1
--? ["seen", "FREE", 150]
--# MyBatis: choose without a match
update account SET status = ?

     WHERE balance < 0   
--? ["OVERDRAWN"]
--# MyBatis: batch of upserts
insert into stock(sku,depot,quantity)
values
(?,?,?)
,
(?,?,?)

on conflict (sku,depot) do update
set
	quantity = excluded.quantity
	
--? ["rope", 2, 8, "wire", 2, 9]
--# MyBatis-Plus: update wrapper
UPDATE app_users  SET nickname=?,remember_token=?   WHERE (is_active = ? AND (sign_in_count > ? OR email LIKE ?))
--? ["x", null, true, 5, "ida%"]
--# MyBatis-Plus: logical delete
UPDATE app_users SET is_active=false WHERE id IN ( ? , ? ) AND is_active=true
--? [1, 2]
--# MyBatis-Plus: optimistic locker
UPDATE berth  SET name=?,
version=?,
note=?  WHERE id=? AND version=?
--? ["S", 4, "n", 2, 3]
--# MyBatis: case when over ids
update stock set quantity = case
 when sku = ? and depot = ? then ?::int
 when sku = ? and depot = ? then ?::int
 else quantity end
where sku in (?, ?)
--? ["rope", 1, 40, "paint", 1, 10, "rope", "paint"]
--# Spring Data JDBC: optimistic update
UPDATE "CARGO" SET "LABEL" = ?, "WEIGHT" = ?, "CREATED_AT" = ?, "VERSION" = ? WHERE "CARGO"."ID" = ? AND "CARGO"."VERSION" = ?
--? ["barley", 12.5, "2026-01-02T00:00:00", 5, 2, 4]
--# Spring Data JDBC: insert
INSERT INTO "CARGO" ("ID", "LABEL", "VERSION", "WEIGHT") VALUES (?, ?, ?, ?)
--? [4, "wool", 0, 3]
--# Spring Data JDBC: delete by id
DELETE FROM "CARGO" WHERE "CARGO"."ID" = ?
--? [1]
--# Spring Data JDBC: delete with version
DELETE FROM "CARGO" WHERE "CARGO"."ID" = ? AND "CARGO"."VERSION" = ?
--? [3, 1]
--# Spring Data JDBC: delete by ids
DELETE FROM "CARGO" WHERE "CARGO"."ID" IN (?, ?)
--? [1, 3]
--# Spring Data JDBC: delete by a path
DELETE FROM "vessel_detail" WHERE "vessel_detail"."vessel_id" IN (SELECT "vessel"."id" FROM "vessel" WHERE "vessel"."berth_id" = ?)
--? [4]
--# Spring Data JDBC: delete all
DELETE FROM "CARGO"
--# Spring Batch: update of a step
UPDATE STEP_RUN set STARTED = ?, ENDED = ?, STATUS = ?, READS = ?, WRITES = ?, EXIT_CODE = ?, EXIT_MESSAGE = ?, VERSION = VERSION + 1 where RUN_ID = ? and VERSION = ?
--? ["2026-01-05T08:00:00", "2026-01-05T08:20:00", "COMPLETED", 20, 20, "COMPLETED", "", 100, 1]
--# Spring Batch: insert of an execution
INSERT into STEP_RUN(RUN_ID, JOB, STARTED, ENDED, STATUS, EXIT_CODE, EXIT_MESSAGE, VERSION) values (?, ?, ?, ?, ?, ?, ?, ?)
--? [300, "purge", "2026-01-05T08:00:00", null, "STARTING", "UNKNOWN", "", 0]
--# Spring Batch: clean up by dates
DELETE FROM step_run WHERE ended IS NOT NULL AND started < ?
--? ["2026-01-05T00:00:00"]
--# Spring Session: update of a session
UPDATE visit_session
SET session_id = ?, last_access_time = ?, max_inactive_interval = ?, expiry_time = ?, principal_name = ?
WHERE primary_id = ?
--? ["s-9", 3000, 1800, 1803000, "ida", "p-1"]
--# Spring Session: insert of an attribute by a query
INSERT INTO visit_session_attributes (session_primary_id, attribute_name, attribute_bytes)
SELECT primary_id, ?, decode(?, 'hex')
FROM visit_session
WHERE session_id = ?
--? ["basket", "0a0b", "s-1"]
--# Spring Session: upsert of an attribute
INSERT INTO visit_session_attributes (session_primary_id, attribute_name, attribute_bytes)
VALUES (?, ?, decode(?, 'hex'))
ON CONFLICT (session_primary_id, attribute_name)
DO UPDATE SET attribute_bytes = EXCLUDED.attribute_bytes
--? ["p-1", "cart", "ff"]
--# Spring Session: clean up
DELETE FROM visit_session
WHERE expiry_time < ?
--? [70000]
--# Quartz: state of a trigger
UPDATE trigger_slot SET TRIGGER_STATE = ? WHERE SCHED_NAME = 'main' AND TRIGGER_NAME = ? AND TRIGGER_GROUP = ? AND TRIGGER_STATE = ?
--? ["ACQUIRED", "t1", "g1", "WAITING"]
--# Quartz: states of all triggers of a group
UPDATE trigger_slot SET TRIGGER_STATE = ? WHERE SCHED_NAME = 'main' AND (TRIGGER_STATE = ? OR TRIGGER_STATE = ?)
--? ["WAITING", "ACQUIRED", "BLOCKED"]
--# Quartz: misfires
UPDATE trigger_slot SET next_fire_time = ?, misfire_instr = 0 WHERE SCHED_NAME = 'main' AND NOT (misfire_instr = -1) AND next_fire_time < ? AND trigger_state = ?
--? [5000, 1500, "WAITING"]
--# Quartz: insert of a trigger
INSERT INTO trigger_slot (SCHED_NAME, TRIGGER_NAME, TRIGGER_GROUP, TRIGGER_STATE, NEXT_FIRE_TIME, PREV_FIRE_TIME, PRIORITY)  VALUES('main', ?, ?, ?, ?, ?, ?)
--? ["t9", "g9", "WAITING", 9000, -1, 5]
--# Quartz: delete of a trigger
DELETE FROM trigger_slot WHERE SCHED_NAME = 'main' AND TRIGGER_NAME = ? AND TRIGGER_GROUP = ?
--? ["t2", "g1"]
--# ShedLock: take a lock that is over
UPDATE tick_lock SET lock_until = ?, locked_at = ?, locked_by = ? WHERE name = ? AND lock_until <= ?
--? ["2026-01-06T01:00:00", "2026-01-06T00:00:00", "node-c", "nightly", "2026-01-06T00:00:00"]
--# ShedLock: insert
INSERT INTO tick_lock(name, lock_until, locked_at, locked_by) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING
--? ["weekly", "2026-01-06T01:00:00", "2026-01-06T00:00:00", "node-c"]
--# ShedLock: insert or take over
INSERT INTO tick_lock(name, lock_until, locked_at, locked_by) VALUES(?, timezone('utc', '2026-01-05T01:00:00Z'::timestamptz) + cast(? as interval), ?, ?) ON CONFLICT (name) DO UPDATE SET lock_until = EXCLUDED.lock_until, locked_at = EXCLUDED.locked_at, locked_by = EXCLUDED.locked_by WHERE tick_lock.lock_until <= EXCLUDED.locked_at
--? ["nightly", "300 seconds", "2026-01-06T00:00:00", "node-d"]
--# ShedLock: release
UPDATE tick_lock SET lock_until = ? WHERE name = ? AND locked_by = ?
--? ["2026-01-05T09:30:00", "hourly", "node-b"]
--# Spring Modulith: completion of a publication
UPDATE relay_event SET sent = ? WHERE id = ?
--? ["2026-01-05T09:05:00", "22222222-2222-2222-2222-222222222222"]
--# Spring Modulith: completion by its content
UPDATE relay_event SET sent = ? WHERE topic = ? AND sent IS NULL AND payload = ?::jsonb
--? ["2026-01-05T09:05:00", "vessel.left", "{\"id\": 11}"]
--# Spring Modulith: archive by a common table expression
WITH done AS (SELECT id FROM relay_event WHERE sent IS NOT NULL) DELETE FROM relay_event WHERE id IN (SELECT id FROM done)
--# outbox: claim a portion
UPDATE relay_event SET attempts = attempts + 1
WHERE id IN (
    SELECT id FROM relay_event
    WHERE sent IS NULL AND partition_no = ANY (?)
    ORDER BY created
    LIMIT 10
    FOR UPDATE SKIP LOCKED)
RETURNING id, topic, payload
--? [[1, 2]]
--# outbox: insert
insert into relay_event(id, topic, payload, created, partition_no) values (?, ?, cast(? as jsonb), ?, mod(abs(hashtext(?)), 4))
--? ["44444444-4444-4444-4444-444444444444", "berth.closed", "{\"id\": 3}", "2026-01-05T11:00:00", "3"]
--# Rails: update with a timestamp
UPDATE "app_users" SET "nickname" = ?, "updated_at" = ? WHERE "app_users"."id" = ?
--? ["Idi", "2026-01-05T11:00:00", 1]
--# Rails: update_all
UPDATE "app_users" SET "is_active" = TRUE, sign_in_count = COALESCE("sign_in_count", 0) + 1 WHERE "app_users"."deleted_at" IS NULL
--# Rails: upsert_all
INSERT INTO "app_users" ("id","email","nickname","created_at") VALUES (?, ?, ?, ?), (?, ?, ?, ?) ON CONFLICT ("email") DO UPDATE SET updated_at=(CASE WHEN ("app_users"."nickname" IS NOT DISTINCT FROM excluded."nickname") THEN "app_users".updated_at ELSE '2026-02-02' END),"nickname"=excluded."nickname" RETURNING "id"
--? [2, "bo@example.test", "Bobo", "2026-01-01T00:00:00", 9, "fay@example.test", "Fay", "2026-01-01T00:00:00"]
--# Rails: insert_all
INSERT INTO "app_users" ("id","email") VALUES (20, 'gus@example.test'), (21, 'hal@example.test') ON CONFLICT  DO NOTHING RETURNING "id"
--# Rails: delete with a sub-select and limit
DELETE FROM "task_queue" WHERE ("task_queue"."id") IN (SELECT "task_queue"."id" FROM "task_queue" WHERE "task_queue"."phase" = ? ORDER BY "task_queue"."id" ASC LIMIT ?)
--? ["NEW", 1]
--# Rails: counter cache
UPDATE "berth" SET "version" = COALESCE("berth"."version", 0) - 1 WHERE "berth"."id" = ?
--? [2]
--# Django: queryset update with F
UPDATE "stock" SET "quantity" = ("stock"."quantity" - ?), "reserved" = CASE WHEN "stock"."reserved" >= ? THEN ("stock"."reserved" - ?) ELSE 0 END WHERE ("stock"."depot" = ? AND NOT ("stock"."sku" = ?))
--? [1, 3, 3, 1, "paint"]
--# Django: bulk_update
UPDATE "app_users" SET "nickname" = (CASE WHEN ("app_users"."id" = ?) THEN ? WHEN ("app_users"."id" = ?) THEN ? ELSE NULL END)::varchar(60) WHERE "app_users"."id" IN (?, ?)
--? [1, "A", 2, "B", 1, 2]
--# Django: bulk_create
INSERT INTO "vessel_flags" ("vessel_id", "flag") VALUES (10, 'D1'), (11, 'D2') RETURNING "vessel_flags"."vessel_id"
--# Django: delete with a related name
DELETE FROM "vessel" WHERE "vessel"."id" IN (SELECT U0."id" FROM "vessel" U0 INNER JOIN "berth" U1 ON (U0."berth_id" = U1."id") WHERE UPPER(U1."name"::text) LIKE UPPER(?))
--? ["%orth"]
--# Laravel: update with a json path
update "vessel" set "meta" = jsonb_set("meta"::jsonb, '{"flag"}', ?::jsonb) where "id" = ?
--? ["\"FI\"", 10]
--# Laravel: upsert
insert into "stock" ("depot", "price", "quantity", "sku") values (?, ?, ?, ?) on conflict ("sku", "depot") do update set "price" = "excluded"."price"
--? [2, 1, 7, "nail"]
--# Laravel: insertUsing
insert into "app_users" ("id", "email") select "vessel"."id" + 100, "no" || '@bank.test' from "account" join "vessel" on "vessel"."name" = 'Dunlin' and "no" = 'A-1' where "balance" > ?
--? [0]
--# Laravel: update with a join as a sub-select
update "vessel" set "crew" = ? where "ctid" in (select "vessel"."ctid" from "vessel" inner join "berth" on "vessel"."berth_id" = "berth"."id" where "berth"."state" = ?)
--? [1, "BUSY"]
--# Laravel: queue, reserve a job
update "task_queue" set "phase" = ?, "attempts" = ? where "id" = ?
--? ["BUSY", 2, 2]
--# Exposed: update with an expression
UPDATE account SET balance=(account.balance + ?), status='OPEN' WHERE (account."no" = ?) AND (account.status <> 'OPEN')
--? [3, "A-3"]
--# Exposed: batch upsert
INSERT INTO sensor_reading (sensor, "hour", "value") VALUES (?, ?, ?) ON CONFLICT (sensor, "hour") DO UPDATE SET "value"=EXCLUDED."value", samples=(sensor_reading.samples + 1)
--? ["t2", "2026-01-05T08:00:00", 41.5]
--# by hand: top-level OR
update berth set occupied = false where state = 'BUSY' or occupied is null or not (length > 100)
--# by hand: no WHERE at all
UPDATE stock SET price = price * 1.1
--# by hand: no WHERE, trailing semicolon
delete from vessel_flags;
--# by hand: trailing line comment
update account set status = 'CHECKED' where balance > 0 -- and status = 'OPEN'
--# by hand: comments in every place
/* a */ update /* b */ berth /* c */ as /* d */ b /* e */ set /* f */ note /* g */ = /* h ? */ ? /* i */ where /* j */ b.id /* k */ = ? /* l */ ; -- m
--? ["commented", 1]
--# by hand: nested comment and a hint
/*+ IndexScan(berth) */ update berth set note = 'x' /* outer /* inner ? */ where */ where id = ?
--? [2]
--# by hand: line comments between the clauses
update berth -- the table
set note = 'it''s -- no comment' -- where false
where id = 1 -- or 1 = 1
   or id = 2
--# by hand: literals that look like clauses
update setting set value = ' where 1=0; delete from setting -- ?', type = 'returning *' where key = 'theme'
--# by hand: dollar quotes
update setting set value = $$it's where ? $$ || $tag$ $$ returning $tag$ where key = $k$path$k$
--# by hand: escape string
update setting set value = E'tab\tquote\' where \\ ?' where value = 'C:\temp\' or key = E'them\u0065'
--# by hand: Unicode and bit strings
update setting set value = U&'d\0061t\+000061', type = B'101'::text where key = N'quote'
--# by hand: keyword-like columns
update setting set "user" = "group", "group" = "user", value = type, type = key where setting.value is distinct from 'zzz'
--# by hand: quoted keywords in a qualified table
update dock."Order Line" ol set "select" = ol."select" || '!', "from" = null, "where ?" = '?' where ol."order" = 1 and "from" <> '?'
--# by hand: unquoted column names that are soft keywords
insert into setting (key, value, type) values ('a', 'b', 'c') returning key, value as type
--# by hand: claim of one task
UPDATE task_queue SET phase = 'BUSY', worker = ? WHERE id = (SELECT id FROM task_queue WHERE phase = 'NEW' OR (phase = 'LATER' AND due <= ?) ORDER BY made LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *
--? ["w9", "2026-01-05T07:00:00"]
--# by hand: claim with a common table expression
WITH next AS MATERIALIZED (
  SELECT id FROM task_queue WHERE phase = 'NEW' ORDER BY due FETCH FIRST 2 ROWS ONLY FOR UPDATE SKIP LOCKED
)
UPDATE task_queue t SET phase = 'BUSY', attempts = t.attempts + 1 FROM next WHERE next.id = t.id RETURNING t.id, t.attempts
--# by hand: recursive common table expression
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) update vessel set crew = crew * (select max(i) from n) where crew < any (select i * 5 from n)
--# by hand: update from unnest
UPDATE stock AS s SET quantity = v.q FROM unnest(?::text[], ?::int[]) AS v(sku, q) WHERE s.sku = v.sku AND s.depot = 1
--? [["rope", "paint"], [1, 2]]
--# by hand: update from two joined tables
update vessel v set name = b.name || d.hull from berth b left join vessel_detail d on d.draft > 3 where b.id = v.berth_id and d.vessel_id = v.id
--# by hand: update from a table with the same column names
update account set balance = l.total from (select account_no, sum(amount) as total, max(fencing_token) as fencing_token from ledger group by account_no) l where l.account_no = account.no
--# by hand: update from lateral
update berth b set note = x.names from lateral (select string_agg(v.name, ', ' order by v.name) as names from vessel v) x where b.id = 1
--# by hand: delete using
DELETE FROM vessel_flags f USING vessel v, berth b WHERE f.vessel_id = v.id AND v.berth_id = b.id AND b.state = 'FREE'
--# by hand: delete using, or at the top
delete from vessel_detail using vessel where vessel.id = vessel_detail.vessel_id and crew > 10 or hull = 'oak' and vessel.id = 11
--# by hand: delete of duplicates by ctid
delete from ledger a using ledger b where a.account_no = b.account_no and a.memo = b.memo and a.booked > b.booked
--# by hand: delete with a window function in a sub-select
delete from ledger where (account_no, booked) in (select account_no, booked from (select account_no, booked, row_number() over (partition by account_no order by booked desc) as nr from ledger) x where nr > 1)
--# by hand: update with a window function in a sub-select
update task_queue t set attempts = r.nr from (select id, rank() over (order by made) as nr from task_queue) r where r.id = t.id and t.phase in ('NEW', 'LATER')
--# by hand: only
update only berth set note = 'only' where id between 1 and 2
--# by hand: json operators with a question mark
update vessel set crew = 99 where meta ?? 'priority' or meta ??| array['nothing', 'owner'] or meta ??& array['flag', 'x']
--# by hand: json containment
update vessel set meta = meta || ?::jsonb where meta @> ?::jsonb
--? ["{\"seen\": true}", "{\"flag\": \"NO\"}"]
--# by hand: json paths
update vessel set name = meta #>> '{owner,name}', meta = meta - 'draft' where (meta -> 'owner' ->> 'name') = ? and meta @?? '$.draft ? (@ > 3)'
--? ["Ida"]
--# by hand: delete by a json value
delete from task_queue where payload ->> 'kind' = 'mail' or payload #> '{pages,0}' = '1'::jsonb
--# by hand: array operators
update vessel set tags = array_append(tags, ?), crew = array_length(tags, 1) where tags && array['fast', 'tug'] and not tags @> ?::text[]
--? ["new", ["slow"]]
--# by hand: array subscripts
update vessel set tags[1] = upper(tags[1]), name = tags[1:2]::text where tags[2] = ?
--? ["blue"]
--# by hand: any of an array
delete from account where no = any(?::text[]) and balance <= all (array[100, 0])
--? [["A-2", "A-4"]]
--# by hand: array literals and nested arrays
update vessel set tags = array['x', 'y']::text[], meta = to_jsonb(array[[1, 2], [3, 4]]) where id = 12
--# by hand: intervals
update tick_lock set lock_until = lock_until + interval '1 hour 30 minutes', locked_at = locked_at - ? * interval '1' minute where lock_until < timestamp '2026-01-05 05:00:00' + make_interval(hours => 1)
--? [5]
--# by hand: extract and between with and
update account set status = 'OLD' where extract(year from opened) between 2019 and 2020 and balance between 0 and 200
--# by hand: like with escape, similar to, regular expressions
update berth set note = 'm' where name like 'N%' escape '!' or name similar to '(E|S)%' and name ~* '^s' or name !~ 'o'
--# by hand: is distinct from
update vessel set berth_id = null where berth_id is distinct from 1 and name is not distinct from ?
--? ["Bittern"]
--# by hand: set with default, casts and collation
update app_users set sign_in_count = default, nickname = (nickname collate "C")::varchar(60), updated_at = '2026-03-03'::timestamp at time zone 'UTC' where nickname collate "C" > 'B'
--# by hand: clock of the database
update app_users set touched_at = now(), sign_in_count = 1 where touched_at is null or touched_at < current_timestamp - interval '1 day'
--# by hand: value computed by a correlated sub-query
update account a set balance = coalesce((select sum(l.amount) from ledger l where l.account_no = a.no), 0), status = (select case when count(*) > 1 then 'MANY' else 'FEW' end from ledger l where l.account_no = a.no)
--# by hand: not exists
delete from account a where not exists (select from ledger l where l.account_no = a.no) and a.status = 'OPEN'
--# by hand: exists with union
update berth set state = 'SEEN' where exists (select 1 from vessel where berth_id = berth.id union select 1 from vessel_detail where vessel_id = berth.id)
--# by hand: returning expressions
update stock set quantity = quantity - 1 where depot = 1 returning sku as "SKU", quantity * 2 doubled, (select count(*) from berth) as berths
--# by hand: delete returning a computed column
delete from task_queue where attempts >= ? returning id, attempts + 1 as "set"
--? [1]
--# by hand: insert select distinct
insert into vessel_flags (vessel_id, flag) select distinct 13, flag from vessel_flags
--# by hand: insert select distinct on
insert into stock (sku, depot, quantity) select distinct on (sku) sku, 77, quantity from stock order by sku, quantity desc
--# by hand: insert select union
insert into vessel_flags (vessel_id, flag) select id, 'U' from vessel where crew > 10 union select vessel_id, 'U' from vessel_detail
--# by hand: insert select union all with intersect and except
insert into vessel_flags (vessel_id, flag) select id, name from vessel except select id, name from vessel where id = 11 union all select 1, 'x' intersect select 1, 'x'
--# by hand: insert select group by with having
insert into ledger (account_no, amount, memo, booked) select account_no, sum(amount), 'sum', max(booked) from ledger group by account_no having count(*) > 1 order by 1 limit 5
--# by hand: insert select with a window and filter
insert into sensor_reading (sensor, hour, value, samples) select sensor || '+', hour, avg(value) over w, count(*) filter (where value > 5) over w from sensor_reading window w as (partition by sensor)
--# by hand: insert with a query behind with
insert into vessel_flags (vessel_id, flag) with f as (select id from vessel where tags @> array['blue']) select id, 'blue' from f
--# by hand: insert select generate_series
insert into berth (id, name, note) select 1000 + g, 'G' || g, null from generate_series(1, ?) as g
--? [4]
--# by hand: insert select with offset and fetch
insert into vessel_flags (vessel_id, flag) select id, 'late' from vessel order by id desc offset 1 rows fetch next 2 rows only
--# by hand: insert select for update
insert into vessel_flags (vessel_id, flag) select id, state from berth where occupied for update
--# by hand: insert select without from
insert into vessel_flags (vessel_id, flag) select ?, ? where not exists (select 1 from vessel_flags where flag = ?)
--? [10, "once", "once"]
--# by hand: insert select on conflict
insert into stock (sku, depot, quantity) select sku, 1, quantity from stock where depot = 2 on conflict (sku, depot) do update set quantity = stock.quantity + excluded.quantity returning sku, quantity
--# by hand: insert with default values in a row
insert into stock (sku, depot, quantity, reserved, price) values ('tar', 1, 5, default, default), ('tar', 2, 6, 1, null)
--# by hand: overriding system value
insert into ledger (serial_no, account_no, amount) overriding system value values (?, ?, ?)
--? [900, "A-4", 1]
--# by hand: insert with sub-selects as values
insert into berth (id, name, length) values ((select max(id) + 1 from berth), (select name from vessel order by id limit 1), (values (3)))
--# by hand: on conflict with the partial index's condition
insert into account as acc (no, balance) values ('A-1', 1) on conflict (no) where no is not null do update set balance = acc.balance + excluded.balance where acc.balance > 0 or acc.status = 'FROZEN'
--# by hand: on conflict with a tuple assignment
insert into stock (sku, depot, quantity, price) values ('rope', 1, 1, 2), ('rope', 3, 1, 2) on conflict (sku, depot) do update set (quantity, price) = (excluded.quantity, excluded.price)
--# by hand: on conflict with a sub-query in the assignment
insert into account (no, balance) values (?, ?) on conflict (no) do update set balance = (select sum(l.amount) from ledger l where l.account_no = account.no) + excluded.balance
--? ["A-3", 0.5]
--# by hand: upper-case everything with a schema
UPDATE PUBLIC.BERTH B SET NOTE = 'UP' WHERE B.STATE IN ('FREE', 'BUSY') AND B.ID <> ALL (ARRAY[3]) RETURNING B.*
--# by hand: tabs and line breaks instead of blanks
update	berth
set	note='t'
where	id=1	or	id=2
--# by hand: no blanks at all
update"berth"set"note"='x'where"id"=1 or"id"=2
--# by hand: parenthesised condition
update berth set note = 'p' where (((id = 1) or (id = 4)))
--# by hand: names with dollar signs, accents and digits
update berth as größe$1 set note = 'ä' where größe$1.id = 1
--# by hand: numbers in all spellings
update stock set quantity = 1_000, price = 1.5e2 where quantity > 0x0A and price < .5e3 and reserved = 0b0
--# by hand: row comparison
update stock set price = 1 where (depot, sku) > (1, 'q') and row(depot, reserved) <> row(2, 5)
--# by hand: grouping and aggregates in a sub-select
update berth set note = (select percentile_cont(0.5) within group (order by crew)::text from vessel where vessel.berth_id is not null) where id = 3
--# by hand: returned rows with the keyword as a name
delete from setting where "user" = 'ida' returning "user", "group", key
--# by hand: xmin and system columns
update berth set note = 'sys' where xmin is not null and tableoid = 'berth'::regclass and id = 1
--# Hibernate: pessimistic force increment
update berth set version=? where id=? and version=?
--? [8, 4, 7]
--# MyBatis: trim with an update by a map
update visit_session
	set
	principal_name = ? ,
	
	max_inactive_interval = ?
	where session_id = ?
	
	and expiry_time > ?
--? ["ida2", 5, "s-1", 10]
--# Spring Integration: lock repository
UPDATE tick_lock SET locked_at=? WHERE (name=? AND locked_by=?) OR (name=? AND locked_at<?)
--? ["2026-01-06T00:00:00", "nightly", "node-z", "nightly", "2026-01-06T00:00:00"]
--# db-scheduler: pick
update task_queue set worker = ?, phase = 'BUSY', attempts = attempts + 1 where id = ? and phase = ? and attempts = ?
--? ["w3", 1, "NEW", 0]
