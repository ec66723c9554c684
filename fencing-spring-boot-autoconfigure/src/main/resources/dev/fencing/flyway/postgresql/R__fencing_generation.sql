CREATE TABLE IF NOT EXISTS FENCING_GENERATION (
	resource_id varchar(400) COLLATE "C" NOT NULL PRIMARY KEY,
	fencing_token bigint NOT NULL,
	owner varchar(64) NOT NULL,
	registered_at timestamp with time zone NOT NULL
);
