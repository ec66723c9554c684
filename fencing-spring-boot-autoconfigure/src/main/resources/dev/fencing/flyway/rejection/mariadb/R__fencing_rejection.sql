-- utf8mb4_nopad_bin compares code point by code point and ignores no trailing blanks, as in the registry.
-- rejected_at is in UTC.
CREATE TABLE IF NOT EXISTS FENCING_REJECTION (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	rejection_key varchar(64) NOT NULL UNIQUE,
	rejected_at datetime(6) NOT NULL,
	lock_name varchar(400) NOT NULL,
	resource_id varchar(400) NOT NULL,
	rejected_token bigint NOT NULL,
	accepted_token bigint,
	guard_name varchar(20) NOT NULL,
	reason varchar(20) NOT NULL,
	owner varchar(64) NOT NULL,
	instance_id varchar(255) NOT NULL,
	INDEX fencing_rejected_resource (resource_id, id),
	INDEX fencing_rejected_at (rejected_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
