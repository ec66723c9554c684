CREATE TABLE IF NOT EXISTS FENCING_REJECTION (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	rejection_key varchar(64) NOT NULL UNIQUE,
	rejected_at timestamp with time zone NOT NULL,
	lock_name varchar(400) NOT NULL,
	resource_id varchar(400) COLLATE "C" NOT NULL,
	rejected_token bigint NOT NULL,
	accepted_token bigint,
	guard_name varchar(20) NOT NULL,
	reason varchar(20) NOT NULL,
	owner varchar(64) NOT NULL,
	instance_id varchar(255) NOT NULL
);
CREATE INDEX IF NOT EXISTS fencing_rejected_resource ON FENCING_REJECTION (resource_id, id);
CREATE INDEX IF NOT EXISTS fencing_rejected_at ON FENCING_REJECTION (rejected_at);
