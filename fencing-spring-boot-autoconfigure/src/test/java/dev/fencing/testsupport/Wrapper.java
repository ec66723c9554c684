package dev.fencing.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * What applications put around a data source.
 */
public enum Wrapper {

	/**
	 * Nothing.
	 */
	NONE {
		@Override
		public DataSource around(DataSource dataSource) {
			return dataSource;
		}
	},

	/**
	 * Fetches a connection with the first statement.
	 */
	LAZY {
		@Override
		public DataSource around(DataSource dataSource) {
			return new LazyConnectionDataSourceProxy(dataSource);
		}
	},

	/**
	 * Lets plain JDBC code take part in Spring's transactions.
	 */
	TRANSACTION_AWARE {
		@Override
		public DataSource around(DataSource dataSource) {
			return new TransactionAwareDataSourceProxy(dataSource);
		}
	},

	/**
	 * An advised bean.
	 */
	ADVISED {
		@Override
		public DataSource around(DataSource dataSource) {
			return (DataSource) new ProxyFactory(dataSource).getProxy();
		}
	},

	/**
	 * Cannot be looked into.
	 */
	OPAQUE {
		@Override
		public DataSource around(DataSource dataSource) {
			return new AbstractDataSource() {
				@Override
				public Connection getConnection() throws SQLException {
					return dataSource.getConnection();
				}

				@Override
				public Connection getConnection(String username, String password) throws SQLException {
					return dataSource.getConnection(username, password);
				}
			};
		}
	},

	/**
	 * Cannot be looked into, and does not say where its connections lead to.
	 */
	NAMELESS {
		@Override
		public DataSource around(DataSource dataSource) {
			return new AbstractDataSource() {
				@Override
				public Connection getConnection() throws SQLException {
					Connection connection = dataSource.getConnection();
					DatabaseMetaData metaData = replace(DatabaseMetaData.class, connection.getMetaData(), "getURL",
							null);
					return replace(Connection.class, connection, "getMetaData", metaData);
				}

				@Override
				public Connection getConnection(String username, String password) throws SQLException {
					return getConnection();
				}
			};
		}
	};

	/**
	 * Put it around a data source.
	 */
	public abstract DataSource around(DataSource dataSource);

	private static <T> T replace(Class<T> type, T target, String replaced, Object answer) {
		return type.cast(Proxy.newProxyInstance(Wrapper.class.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> {
					if (method.getName().equals(replaced)) {
						return answer;
					}
					try {
						return method.invoke(target, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				}));
	}

}
