-- UNTESTED: written from the documentation of SQL Server.
-- It ignores trailing blanks of text in every collation: resources that differ in nothing else are listed together.
IF OBJECT_ID('FENCING_REJECTION') IS NULL
CREATE TABLE FENCING_REJECTION (
	id bigint IDENTITY(1, 1) NOT NULL PRIMARY KEY,
	rejection_key varchar(64) NOT NULL UNIQUE,
	rejected_at datetimeoffset(6) NOT NULL,
	lock_name nvarchar(400) NOT NULL,
	resource_id nvarchar(400) COLLATE Latin1_General_100_BIN2 NOT NULL,
	rejected_token bigint NOT NULL,
	accepted_token bigint,
	guard_name varchar(20) NOT NULL,
	reason varchar(20) NOT NULL,
	owner nvarchar(64) NOT NULL,
	instance_id nvarchar(255) NOT NULL,
	INDEX fencing_rejected_resource (resource_id, id),
	INDEX fencing_rejected_at (rejected_at)
);
