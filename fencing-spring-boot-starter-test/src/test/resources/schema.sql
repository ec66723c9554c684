create table document (id bigint primary key, title varchar(100) not null, fencing_token bigint not null default 0);
create table audit (document_id bigint not null, title varchar(100) not null);
