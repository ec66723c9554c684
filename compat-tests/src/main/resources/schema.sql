create table document (
  id bigint primary key,
  title varchar(100) not null,
  fencing_token bigint default 0 not null
);
insert into document (id, title) values (1, 'original'), (2, 'original'), (3, 'original'), (4, 'original'),
  (5, 'original'), (9, 'original'), (10, 'original'), (11, 'original'),
  (12, 'original'), (13, 'original');
