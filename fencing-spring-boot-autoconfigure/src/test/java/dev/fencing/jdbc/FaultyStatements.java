package dev.fencing.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source that fails with whatever a test wants, where it wants it.
 */
final class FaultyStatements extends DelegatingDataSource {

	private static final Predicate<String> NONE = (sql) -> false;

	private volatile Predicate<String> refused = NONE;

	private volatile @Nullable Throwable failure;

	FaultyStatements(DataSource target) {
		super(target);
	}

	/**
	 * Give no connection from now on.
	 */
	void failConnections(Throwable failure) {
		this.refused = NONE;
		this.failure = failure;
	}

	/**
	 * Prepare some statements no more. Those without parameters are not known yet when
	 * they are created, and are empty here.
	 */
	void failStatements(Predicate<String> refused, Throwable failure) {
		this.refused = refused;
		this.failure = failure;
	}

	/**
	 * Return whether it is an insert that is meant to insert something.
	 */
	static boolean isInsertOfARow(String sql) {
		return sql.startsWith("insert") && sql.contains("values");
	}

	void work() {
		this.failure = null;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Throwable failure = this.failure;
		if (failure != null && this.refused == NONE) {
			throw raise(failure);
		}
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement") || method.getName().equals("createStatement")) {
						check((arguments != null) ? (String) arguments[0] : "");
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

	private void check(String sql) throws SQLException {
		Throwable failure = this.failure;
		if (failure != null && this.refused.test(sql)) {
			throw raise(failure);
		}
	}

	private static SQLException raise(Throwable failure) {
		if (failure instanceof RuntimeException unchecked) {
			throw unchecked;
		}
		if (failure instanceof Error error) {
			throw error;
		}
		return (SQLException) failure;
	}

}
