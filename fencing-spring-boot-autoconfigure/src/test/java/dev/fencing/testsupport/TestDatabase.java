package dev.fencing.testsupport;

import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;

import dev.fencing.jdbc.RegistryDialect;

/**
 * The databases that tests run on.
 */
public enum TestDatabase {

	POSTGRESQL(RegistryDialect.POSTGRESQL) {

		@Override
		public String createDatabase() {
			return PostgresTestServer.createDatabase();
		}

		@Override
		public HikariDataSource pool(String url, int size) {
			return PostgresTestServer.pool(url, size);
		}

	},

	H2(RegistryDialect.H2) {

		@Override
		public String createDatabase() {
			return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		}

		@Override
		public HikariDataSource pool(String url, int size) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(url);
			pool.setMaximumPoolSize(size);
			return pool;
		}

	},

	/**
	 * Aborts the test that uses it where no MariaDB is installed.
	 */
	MARIADB(RegistryDialect.MARIADB) {

		@Override
		public String createDatabase() {
			return MariaDbTestServer.createDatabase();
		}

		@Override
		public HikariDataSource pool(String url, int size) {
			return MariaDbTestServer.pool(url, size);
		}

	};

	private final RegistryDialect dialect;

	TestDatabase(RegistryDialect dialect) {
		this.dialect = dialect;
	}

	public RegistryDialect dialect() {
		return this.dialect;
	}

	/**
	 * Create an empty database.
	 * @return its JDBC URL
	 */
	public abstract String createDatabase();

	/**
	 * Open a pool.
	 * @param url the JDBC URL
	 * @param size how many connections it may have
	 * @return the pool, to be closed by the caller
	 */
	public abstract HikariDataSource pool(String url, int size);

	/**
	 * Open a pool on a database of its own.
	 * @return the pool, to be closed by the caller
	 */
	public HikariDataSource pool() {
		return pool(createDatabase(), 10);
	}

}
