-- UNTESTED: written from the documentation of Oracle Database.
CREATE TABLE FENCING_REJECTION (
	id number(19) GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	rejection_key varchar2(64) NOT NULL UNIQUE,
	rejected_at timestamp(6) with time zone NOT NULL,
	lock_name varchar2(400 char) NOT NULL,
	resource_id varchar2(400 char) NOT NULL,
	rejected_token number(19) NOT NULL,
	accepted_token number(19),
	guard_name varchar2(20) NOT NULL,
	reason varchar2(20) NOT NULL,
	owner varchar2(64 char) NOT NULL,
	instance_id varchar2(255 char) NOT NULL
);
CREATE INDEX fencing_rejected_resource ON FENCING_REJECTION (resource_id, id);
CREATE INDEX fencing_rejected_at ON FENCING_REJECTION (rejected_at);
