-- utf8mb4_0900_bin (MySQL 8.0.17) compares byte by byte and ignores no trailing blanks. The default collation would take
-- 'document:A' and 'document:á' for one resource, and utf8mb4_bin 'document:a' and 'document:a '.
-- registered_at is in UTC.
CREATE TABLE IF NOT EXISTS FENCING_GENERATION (
	resource_id varchar(400) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin NOT NULL PRIMARY KEY,
	fencing_token bigint NOT NULL,
	owner varchar(64) NOT NULL,
	registered_at datetime(6) NOT NULL
) ENGINE = InnoDB;
