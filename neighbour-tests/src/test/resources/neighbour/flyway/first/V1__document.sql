CREATE TABLE document (
	id bigint NOT NULL PRIMARY KEY,
	title varchar(100) NOT NULL,
	fencing_token bigint NOT NULL DEFAULT 0
);
