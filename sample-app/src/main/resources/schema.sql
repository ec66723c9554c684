create table if not exists document (
	id bigint generated always as identity primary key,
	title varchar(200) not null,
	fencing_token bigint not null default 0
);
