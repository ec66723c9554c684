--# Hibernate: update of an entity with a version
update berth set length=?,name=?,note=?,occupied=?,state=?,version=? where id=? and version=?
--? [130.25, "North pier", null, true, "BUSY", 1, 1, 0]
--# Hibernate: insert with many columns
insert into step_run (ended,exit_code,exit_message,job,`reads`,started,status,version,writes,run_id) values (?,?,?,?,?,?,?,?,?,?)
--? [null, "UNKNOWN", "", "billing", 0, "2026-01-08T06:00:00", "STARTING", 0, 0, 200]
--# Hibernate: insert with an identity
insert into ledger (account_no,amount,booked,memo) values (?,?,?,?)
--? ["A-2", 12.5, "2026-01-03", "rent"]
--# Hibernate: insert with an identity, returned
insert into ledger (account_no,amount,booked,memo) values (?,?,?,?) returning serial_no
--? ["A-2", 13.5, "2026-01-03", "rent"]
--# Hibernate: HQL bulk update with an alias
update vessel v1_0 set v1_0.crew=(v1_0.crew+?) where v1_0.berth_id is not null
--? [2]
--# Hibernate: HQL bulk update with a versioned entity
update vessel v1_0 set version=(v1_0.version+1),name=upper(v1_0.name) where v1_0.crew>? and v1_0.name like ? escape ''
--? [4, "%t%"]
--# Hibernate: HQL bulk delete with a sub-query
delete from vessel where exists(select 1 from berth b1_0 where b1_0.id=vessel.berth_id and b1_0.state=?)
--? ["FREE"]
--# Hibernate: HQL bulk delete of everything
delete from vessel_detail
--# Hibernate: optional secondary table, upsert
insert into vessel_detail (draft,hull,vessel_id) values (?,?,?) on duplicate key update draft=values(draft),hull=values(hull)
--? [1.25, "elm", 10]
--# Hibernate: element collection, remove one
delete from vessel_flags where vessel_id=? and flag=?
--? [10, "B"]
--# Hibernate: element collection, insert
insert into vessel_flags (vessel_id,flag) values (?,?)
--? [12, "C"]
--# Hibernate: HQL insert-select
insert into vessel_detail(vessel_id,hull,draft) select v1_0.id,'unknown',cast(v1_0.crew as double) from vessel v1_0 left join vessel_detail d1_0 on d1_0.vessel_id=v1_0.id where d1_0.vessel_id is null
--# Hibernate: HQL bulk update with case
update berth b1_0 set b1_0.state=case b1_0.state when ? then ? when ? then ? else b1_0.state end
--? ["FREE", "OPEN", "BUSY", "TAKEN"]
--# Hibernate: tuples in the condition
update stock s1_0 set reserved=0 where (s1_0.sku,s1_0.depot) in ((?,?),(?,?))
--? ["rope", 1, "paint", 1]
--# Hibernate: quoted names
update `Order Line` ol1_0 set quantity=? where ol1_0.`order`=? and ol1_0.`select`=?
--? [6, 1, "rope"]
--# Hibernate: comment of the statement
/* update for dev.fencing.sample.Berth */update berth set state=? where id=?
--? ["SHUT", 4]
--# jOOQ: quoted update
update `berth` set `berth`.`state` = ?, `berth`.`note` = cast(? as char) where `berth`.`id` = ?
--? ["FREE", "swept", 3]
--# jOOQ: delete with quoted names
delete from `Order Line` where `Order Line`.`where ?` is null
--# jOOQ: delete with row value in
delete from `Order Line` where (`order`, `select`) in ((cast(? as signed), ?), (?, ?))
--? [1, "paint", 2, "rope"]
--# jOOQ: onDuplicateKeyUpdate
insert into `stock` (`sku`, `depot`, `quantity`) values (?, ?, ?) on duplicate key update `stock`.`quantity` = (`stock`.`quantity` + values(`quantity`))
--? ["rope", 1, 3]
--# jOOQ: onDuplicateKeyIgnore
insert ignore into `berth` (`id`, `name`) values (?, ?), (?, ?)
--? [1, "Nowhere", 9, "New"]
--# jOOQ: insert ... set
insert into `stock` set `sku` = ?, `depot` = ?, `quantity` = ?
--? ["hook", 3, 4]
--# jOOQ: insert returning
insert into `stock` (`sku`, `depot`, `quantity`) values (?, ?, ?) returning `stock`.`sku`, `stock`.`quantity`
--? ["hook", 4, 4]
--# jOOQ: delete returning
delete from `task_queue` where `task_queue`.`phase` = 'DONE' returning *
--# jOOQ: insert ... select
insert into `stock` (`sku`, `depot`, `quantity`) select `s`.`sku`, 9, cast(sum(`s`.`quantity`) as signed) from `stock` as `s` group by `s`.`sku`
--# jOOQ: update with a sub-query
update `account` set `account`.`balance` = coalesce((select sum(`l`.`amount`) from `ledger` as `l` where `l`.`account_no` = `account`.`no`), ?) where `account`.`status` <> ?
--? [0, "FROZEN"]
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
--# MyBatis: upserts with odd line breaks
insert into stock(sku,depot,quantity)
values
(?,?,?)
,
(?,?,?)

on  duplicate
key
	update
	quantity = values ( quantity ) ,
	reserved = reserved + 1
	
--? ["rope", 2, 8, "wire", 2, 9]
--# MyBatis: backticks everywhere
UPDATE `app_users` SET `nickname`=?,`remember_token`=NULL WHERE `is_active`=1 OR `sign_in_count`>?
--? ["x", 100]
--# MyBatis-Plus: update wrapper
UPDATE app_users  SET nickname=?,remember_token=?   WHERE (is_active = ? AND (sign_in_count > ? OR email LIKE ?))
--? ["x", null, true, 5, "ida%"]
--# MyBatis-Plus: logical delete
UPDATE app_users SET is_active=0 WHERE id IN ( ? , ? ) AND is_active=1
--? [1, 2]
--# MyBatis: case when over ids
update stock set quantity = case
 when sku = ? and depot = ? then ?
 when sku = ? and depot = ? then ?
 else quantity end
where sku in (?, ?)
--? ["rope", 1, 40, "paint", 1, 10, "rope", "paint"]
--# MyBatis-Plus: saveOrUpdate as insert
INSERT INTO app_users  ( id,
email,
nickname )  VALUES  ( ?,
?,
? )
--? [11, "kim@example.test", "Kim"]
--# Spring Data JDBC: optimistic update
UPDATE `CARGO` SET `LABEL` = ?, `WEIGHT` = ?, `VERSION` = ? WHERE `CARGO`.`ID` = ? AND `CARGO`.`VERSION` = ?
--? ["barley", 12.5, 5, 2, 4]
--# Spring Data JDBC: insert
INSERT INTO `CARGO` (`ID`, `LABEL`, `VERSION`, `WEIGHT`) VALUES (?, ?, ?, ?)
--? [4, "wool", 0, 3]
--# Spring Data JDBC: delete with version
DELETE FROM `CARGO` WHERE `CARGO`.`ID` = ? AND `CARGO`.`VERSION` = ?
--? [3, 1]
--# Spring Batch: update of a step
UPDATE step_run set STARTED = ?, ENDED = ?, STATUS = ?, `READS` = ?, WRITES = ?, EXIT_CODE = ?, EXIT_MESSAGE = ?, VERSION = VERSION + 1 where RUN_ID = ? and VERSION = ?
--? ["2026-01-05T08:00:00", "2026-01-05T08:20:00", "COMPLETED", 20, 20, "COMPLETED", "", 100, 1]
--# Spring Session: upsert of an attribute
INSERT INTO visit_session_attributes (session_primary_id, attribute_name, attribute_bytes)
VALUES (?, ?, unhex(?))
ON DUPLICATE KEY UPDATE attribute_bytes = VALUES(attribute_bytes)
--? ["p-1", "cart", "ff"]
--# Quartz: states of all triggers of a group
UPDATE trigger_slot SET TRIGGER_STATE = ? WHERE SCHED_NAME = 'main' AND (TRIGGER_STATE = ? OR TRIGGER_STATE = ?)
--? ["WAITING", "ACQUIRED", "BLOCKED"]
--# Quartz: insert of a trigger
INSERT INTO trigger_slot (SCHED_NAME, TRIGGER_NAME, TRIGGER_GROUP, TRIGGER_STATE, NEXT_FIRE_TIME, PREV_FIRE_TIME, PRIORITY)  VALUES('main', ?, ?, ?, ?, ?, ?)
--? ["t9", "g9", "WAITING", 9000, -1, 5]
--# ShedLock: take a lock that is over
UPDATE tick_lock SET lock_until = TIMESTAMPADD(MICROSECOND, ?, '2026-01-06 00:00:00'), locked_at = ?, locked_by = ? WHERE name = ? AND lock_until <= ?
--? [60000000, "2026-01-06T00:00:00", "node-c", "nightly", "2026-01-06T00:00:00"]
--# ShedLock: insert
INSERT IGNORE INTO tick_lock(name, lock_until, locked_at, locked_by) VALUES(?, ?, ?, ?)
--? ["weekly", "2026-01-06T01:00:00", "2026-01-06T00:00:00", "node-c"]
--# ShedLock: insert or take over
insert into tick_lock(name, lock_until, locked_at, locked_by) values(?, ?, ?, ?) on duplicate key update locked_by = if(lock_until <= values(locked_at), values(locked_by), locked_by), locked_at = if(lock_until <= values(locked_at), values(locked_at), locked_at), lock_until = greatest(lock_until, values(lock_until))
--? ["nightly", "2026-01-06T01:00:00", "2026-01-06T00:00:00", "node-d"]
--# outbox: claim a portion
UPDATE relay_event SET attempts = attempts + 1
WHERE id IN (SELECT id FROM (SELECT id FROM relay_event WHERE sent IS NULL AND partition_no IN (?, ?) ORDER BY created LIMIT 10 FOR UPDATE SKIP LOCKED) picked)
--? [1, 2]
--# outbox: insert
insert into relay_event(id, topic, payload, created, partition_no) values (?, ?, json_object('id', ?), ?, mod(crc32(?), 4))
--? ["e-4", "berth.closed", 3, "2026-01-05T11:00:00", "3"]
--# Rails: update with a timestamp
UPDATE `app_users` SET `app_users`.`nickname` = 'Idi', `app_users`.`updated_at` = '2026-01-05 11:00:00.000000' WHERE `app_users`.`id` = 1
--# Rails: upsert_all
INSERT INTO `app_users` (`id`,`email`,`nickname`,`created_at`) VALUES (2, 'bo@example.test', 'Bobo', '2026-01-01 00:00:00'), (9, 'fay@example.test', 'Fay', '2026-01-01 00:00:00') ON DUPLICATE KEY UPDATE `app_users`.`updated_at`=(CASE WHEN (`app_users`.`nickname`<=>VALUES(`nickname`)) THEN `app_users`.updated_at ELSE '2026-02-02' END),`nickname`=VALUES(`nickname`)
--# Rails: insert_all
INSERT INTO `app_users` (`id`,`email`) VALUES (20, 'gus@example.test'), (21, 'bo@example.test') ON DUPLICATE KEY UPDATE `email`=`email`
--# Rails: delete with a sub-select and limit
DELETE FROM `task_queue` WHERE `task_queue`.`id` IN (SELECT `id` FROM (SELECT `task_queue`.`id` FROM `task_queue` WHERE `task_queue`.`phase` = 'NEW' ORDER BY `task_queue`.`id` ASC LIMIT 1) __inner)
--# Django: queryset update with F
UPDATE `stock` SET `quantity` = (`stock`.`quantity` - ?), `reserved` = CASE WHEN `stock`.`reserved` >= ? THEN (`stock`.`reserved` - ?) ELSE 0 END WHERE (`stock`.`depot` = ? AND NOT (`stock`.`sku` = ?))
--? [1, 3, 3, 1, "paint"]
--# Django: bulk_create that ignores conflicts
INSERT IGNORE INTO `berth` (`id`, `name`, `version`) VALUES (1, 'x', 0), (31, 'y', 0)
--# Django: bulk_create with updates
INSERT INTO `stock` (`sku`, `depot`, `quantity`, `reserved`) VALUES ('rope', 1, 3, 4), ('cord', 1, 5, 6) ON DUPLICATE KEY UPDATE `quantity` = VALUES(`quantity`), `reserved` = VALUES(`reserved`)
--# Laravel: update with a json path
update `vessel` set `meta` = json_set(`meta`, '$."flag"', ?) where `id` = ?
--? ["FI", 10]
--# Laravel: upsert
insert into `stock` (`depot`, `price`, `quantity`, `sku`) values (?, ?, ?, ?) on duplicate key update `price` = values(`price`)
--? [2, 1, 7, "nail"]
--# Laravel: insertOrIgnore
insert ignore into `app_users` (`email`, `id`) values (?, ?)
--? ["lou@example.test", 12]
--# Laravel: queue, reserve a job
update `task_queue` set `phase` = ?, `attempts` = ? where `id` = ?
--? ["BUSY", 2, 2]
--# Exposed: replace of an expression
UPDATE account SET balance=(account.balance + ?), status='OPEN' WHERE (account.`no` = ?) AND (account.status <> 'OPEN')
--? [3, "A-3"]
--# by hand: top-level OR, spelled as a symbol
update berth set occupied = false where state = 'BUSY' || occupied is null || not (length > 100)
--# by hand: xor, && and !
update berth set note = 'logic' where (state = 'FREE') xor occupied && ! (id = 3)
--# by hand: no WHERE at all
UPDATE stock SET price = price * 1.1;
--# by hand: hash comment at the end
update account set status = 'CHECKED' where balance > 0 # and status = 'OPEN' ?
--# by hand: hash comments between the clauses
update account # the table
set status = 'it\'s # none' # where false
where no = 'A-1' # or ?
   or no = 'A-2'
--# by hand: line comments with a blank
delete from vessel_flags -- all ? of them
 where vessel_id = 10 -- end
--# by hand: comments in every place
/* a */ update /* b */ berth /* c */ as /* d */ b /* e */ set /* f */ note /* g */ = /* h ? */ ? /* i */ where /* j */ b.id /* k */ = ? /* l */ ; -- m
--? ["commented", 1]
--# by hand: backslashes in literals
update setting set value = 'a\\', type = 'it\'s ? \n where' where value = 'C:\\temp\\' or `key` = "the\"me"
--# by hand: double-quoted text
update setting set value = "say ""hi"" 'x' ?", type = 'a "b" where' where `key` = "theme" or type = ''
--# by hand: national, hexadecimal, binary and introduced literals
update setting set value = N'd\'x', type = _utf8mb4'it''s' where `key` = x'7468656d65' or value = b'1100001'
--# by hand: keyword-like columns
update setting set `user` = `group`, `group` = setting.user, value = type where setting.`key` = 'theme' or `user` <=> null
--# by hand: quoted keywords
update `Order Line` ol set ol.`select` = concat(ol.`select`, '!'), `from` = null, `where ?` = '?' where ol.`order` = 1 and `from` <> '?'
--# by hand: json operators
update vessel set crew = 99 where json_extract(meta, '$.flag') = 'NO' and json_contains(meta, '"fast"', '$.tags') or json_value(meta, '$.priority') = 1
--# by hand: json update
update vessel set meta = json_merge_patch(meta, ?), name = json_unquote(json_extract(meta, '$.flag')) where json_exists(meta, '$.flag')
--? ["{\"seen\": true}"]
--# by hand: intervals
update tick_lock set lock_until = lock_until + interval 90 minute, locked_at = date_sub(locked_at, interval ? hour) where lock_until < '2026-01-05 05:00:00' + interval '1:30' hour_minute
--? [5]
--# by hand: clock of the database
update app_users set touched_at = now(), sign_in_count = 1 where touched_at is null or touched_at < current_timestamp - interval 1 day
--# by hand: between with and
update account set status = 'OLD' where year(opened) between 2019 and 2020 and balance between 0 and 200
--# by hand: regular expressions and like
update berth set note = 'm' where name like 'N%' escape '|' or name regexp '^S' or name rlike 't$' and not name sounds like 'East'
--# by hand: null-safe comparison
update vessel set berth_id = null where not berth_id <=> 1 and name <=> ?
--? ["Bittern"]
--# by hand: set with default and collation
update app_users set sign_in_count = default, nickname = default(nickname), remember_token = 'c' collate utf8mb4_bin where nickname collate utf8mb4_bin > 'B'
--# by hand: assignments that see each other
update stock set quantity = quantity + 1, reserved = quantity * 2, price = reserved where depot = 1
--# by hand: not exists
delete from account where not exists (select 1 from ledger l where l.account_no = account.no) and status = 'OPEN'
--# by hand: delete with a window function in a sub-select
delete from ledger where serial_no in (select serial_no from (select serial_no, row_number() over (partition by account_no order by booked desc) as nr from ledger) x where nr > 1)
--# by hand: delete returning a computed column
delete from task_queue where attempts >= ? returning id, attempts + 1 as `set`
--? [1]
--# by hand: insert returning everything
insert into vessel_flags (vessel_id, flag) values (10, 'R'), (11, 'R') returning *
--# by hand: insert select distinct
insert into vessel_flags (vessel_id, flag) select distinct 13, flag from vessel_flags
--# by hand: insert select union
insert into vessel_flags (vessel_id, flag) select id, 'U' from vessel where crew > 10 union select vessel_id, 'U' from vessel_detail
--# by hand: insert select union all, except
insert into vessel_flags (vessel_id, flag) select id, name from vessel union all select id, state from berth except select 10, 'Albatross'
--# by hand: insert select group by with having and rollup
insert into ledger (account_no, amount, memo, booked) select account_no, sum(amount), 'sum', max(booked) from ledger group by account_no with rollup having count(*) > 1
--# by hand: insert select with order and limit
insert into vessel_flags (vessel_id, flag) select id, 'late' from vessel order by id desc limit 1, 2
--# by hand: insert with a query behind with
insert into vessel_flags (vessel_id, flag) with recursive n (i) as (select 1 union all select i + 1 from n where i < 3) select 100 + i, 'n' from n
--# by hand: insert select from dual
insert into vessel_flags (vessel_id, flag) select ?, ? from dual where not exists (select 1 from vessel_flags where flag = ?)
--? [10, "once", "once"]
--# by hand: insert select, on duplicate key
insert into stock (sku, depot, quantity) select s.sku, 1, s.quantity from stock s where s.depot = 2 on duplicate key update quantity = stock.quantity + values(quantity)
--# by hand: on duplicate key with every kind of expression
insert into account (no, balance, status) values (?, ?, 'OPEN') on duplicate key update balance = balance + values(balance), status = case when balance > 100 then 'RICH' else status end, opened = coalesce(opened, '2026-01-01'), limit_amount = (select max(amount) from ledger)
--? ["A-1", 5]
--# by hand: on duplicate key that changes nothing
insert into account (no, balance) values ('A-3', 1) on duplicate key update no = no
--# by hand: on duplicate key, behind set
insert into account set no = 'A-4', balance = 7 on duplicate key update balance = account.balance + 7, status = default(status)
--# by hand: on duplicate key with last_insert_id
insert into ledger (serial_no, account_no, amount) values (1, 'A-9', 1) on duplicate key update serial_no = last_insert_id(serial_no), amount = amount + 1
--# by hand: insert with default values in a row
insert into stock (sku, depot, quantity, reserved, price) values ('tar', 1, 5, default, default), ('tar', 2, 6, 1, null)
--# by hand: insert with sub-selects as values
insert into berth (id, name, length) values ((select max(b.id) + 1 from berth b), (select name from vessel order by id limit 1), 3)
--# by hand: no blanks at all
update`berth`set`note`='x'where`id`=1 or`id`=2
--# by hand: numbers and operators
update stock set quantity = quantity div 2, reserved = quantity % 7, price = 1.5e2 where quantity > 0x0A and price < .5e3 and reserved & 1 = 0 or depot << 1 = 4
--# by hand: row comparison
update stock set price = 1 where (depot, sku) > (1, 'q') or row(depot, reserved) = row(2, 0)
--# by hand: upper-case everything
UPDATE berth B SET B.NOTE = 'UP' WHERE B.STATE IN ('FREE', 'BUSY') AND B.ID NOT IN (3)
--# by hand: user variables
update stock set reserved = (@r := reserved + 1) where depot = 1 and @none is null
--# Hibernate: soft delete
update app_users set deleted_at=? where id=? and deleted_at is null
--? ["2026-01-09T12:00:00", 1]
