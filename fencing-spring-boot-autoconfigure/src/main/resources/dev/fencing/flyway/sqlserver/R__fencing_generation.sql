-- UNTESTED: written from the documentation of SQL Server.
-- The id is kept as its UTF-8 bytes, since SQL Server ignores trailing blanks of text in every collation. A clustered key
-- ends at 900 bytes, a nonclustered one at 1700.
IF OBJECT_ID('FENCING_GENERATION') IS NULL
CREATE TABLE FENCING_GENERATION (
	resource_id varbinary(1600) NOT NULL PRIMARY KEY NONCLUSTERED,
	fencing_token bigint NOT NULL,
	owner varchar(64) NOT NULL,
	registered_at datetimeoffset(6) NOT NULL
);
