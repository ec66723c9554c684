-- The tables that the snippets of the documents write to
create table document (id bigint primary key, title varchar(200), state varchar(20), version int not null default 0,
	fencing_token bigint not null default 0);
create table account (id bigint primary key, balance bigint not null, fencing_token bigint not null default 0);
create table report (day date primary key, total bigint, fencing_token bigint not null default 0);
create table sale (id bigint primary key, amount bigint not null);
create table parcel (id int primary key, state varchar(40), depot int, prio int,
	fencing_token bigint not null default 0);
