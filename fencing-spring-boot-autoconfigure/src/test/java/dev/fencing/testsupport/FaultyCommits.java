package dev.fencing.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source whose next commit ends as no real server can be made to end it at will:
 * done or not, with an answer that says something else.
 */
public final class FaultyCommits extends DelegatingDataSource {

	private @Nullable Fault fault;

	public FaultyCommits(DataSource target) {
		super(target);
	}

	/**
	 * Let the next commit fail.
	 * @param committed whether it is done all the same
	 * @param sqlState what the exception says
	 */
	public void failNext(boolean committed, String sqlState) {
		this.fault = new Fault(committed, sqlState);
	}

	@Override
	public Connection getConnection() throws SQLException {
		return faulty(super.getConnection());
	}

	private Connection faulty(Connection connection) {
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					Fault next = this.fault;
					if (method.getName().equals("commit") && next != null) {
						this.fault = null;
						next.happen(connection);
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private record Fault(boolean committed, String sqlState) {

		void happen(Connection connection) throws SQLException {
			if (this.committed) {
				connection.commit();
			}
			else {
				connection.rollback();
			}
			throw new SQLException("The answer to the commit is lost", this.sqlState);
		}

	}

}
