create table archived_document (id bigint primary key, title varchar(100) not null);
insert into archived_document (id, title) values (42, 'first');
