package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Tells whether two data sources stand for the same database.
 */
final class DataSources {

	private DataSources() {
	}

	/**
	 * Take off what binds connections to transactions: connections taken from the result
	 * are always new ones.
	 */
	static DataSource withoutTransactionAwareness(DataSource dataSource) {
		if (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			return withoutTransactionAwareness(proxy.getTargetDataSource());
		}
		return dataSource;
	}

	/**
	 * Take off all wrappers that can be looked into.
	 */
	static DataSource target(DataSource dataSource) {
		if (dataSource instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			return target(delegating.getTargetDataSource());
		}
		if (AopProxyUtils.getSingletonTarget(dataSource) instanceof DataSource proxied) {
			return target(proxied);
		}
		return dataSource;
	}

	/**
	 * Where a connection leads to: two data sources that cannot be looked into are the
	 * same database for us if their connections have the same address and user.
	 *
	 * @param url the JDBC URL
	 * @param user the database user
	 */
	record Address(@Nullable String url, @Nullable String user) {

		static Address of(Connection connection) throws SQLException {
			DatabaseMetaData metaData = connection.getMetaData();
			return new Address(metaData.getURL(), metaData.getUserName());
		}

		/**
		 * Return whether a connection leads there. Where that cannot be told, it does: a
		 * guard that is not needed fails, one that is missing protects nothing.
		 */
		boolean isAddressOf(Connection connection) throws SQLException {
			DatabaseMetaData metaData = connection.getMetaData();
			String otherUrl = metaData.getURL();
			if (this.url == null || otherUrl == null) {
				return true;
			}
			// The user may cost a round trip
			return this.url.equals(otherUrl) && Objects.equals(this.user, metaData.getUserName());
		}

	}

}
