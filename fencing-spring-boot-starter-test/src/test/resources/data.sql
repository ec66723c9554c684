insert into document (id, title) values (42, 'first');
insert into document (id, title) values (43, 'first');
