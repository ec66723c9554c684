-- UNTESTED: written from the documentation of Oracle Database.
-- varchar2 is compared byte by byte and with its trailing blanks as long as NLS_COMP is BINARY, which it is by default.
CREATE TABLE FENCING_GENERATION (
	resource_id varchar2(400 char) NOT NULL PRIMARY KEY,
	fencing_token number(19) NOT NULL,
	owner varchar2(64 char) NOT NULL,
	registered_at timestamp(6) with time zone NOT NULL
);
