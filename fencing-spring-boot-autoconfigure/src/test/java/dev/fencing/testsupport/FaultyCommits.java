package dev.fencing.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * A data source whose next commit ends as no real server can be made to end it at will:
 * done or not, now or later, with an answer that says something else.
 */
public final class FaultyCommits extends DelegatingDataSource {

	private static final Fault LATE = new Fault(false, "08006");

	private final Queue<Connection> late = new ConcurrentLinkedQueue<>();

	private volatile @Nullable Fault fault;

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

	/**
	 * Let the connection break while the next commit is under way. Place this below a
	 * pool: the connection takes no further call.
	 */
	public void delayNext() {
		this.fault = LATE;
	}

	/**
	 * Take back a fault that has not happened.
	 */
	public void forget() {
		this.fault = null;
	}

	/**
	 * Let the commits that are under way take effect. Their rows have been locked up to
	 * now. A commit that has not come yet will not be late.
	 */
	public void landLateCommits() {
		if (this.fault == LATE) {
			forget();
		}
		Connection connection = this.late.poll();
		while (connection != null) {
			try (Connection landing = connection) {
				landing.commit();
			}
			catch (SQLException ex) {
				// The session was ended meanwhile: it has not committed
			}
			connection = this.late.poll();
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		return new FaultyConnection(super.getConnection()).proxy();
	}

	private final class FaultyConnection {

		private final Connection target;

		private boolean given;

		FaultyConnection(Connection target) {
			this.target = target;
		}

		Connection proxy() {
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					this::invoke);
		}

		private @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
			if (this.given) {
				return (method.getReturnType() == boolean.class) ? (Object) method.getName().equals("isClosed") : null;
			}
			Fault next = FaultyCommits.this.fault;
			if (method.getName().equals("commit") && next != null) {
				forget();
				fail(next);
			}
			try {
				return method.invoke(this.target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private void fail(Fault how) throws SQLException {
			if (how == LATE) {
				this.given = true;
				FaultyCommits.this.late.add(this.target);
			}
			else if (how.committed()) {
				this.target.commit();
			}
			else {
				this.target.rollback();
			}
			throw new SQLException("The answer to the commit is lost", how.sqlState());
		}

	}

	private record Fault(boolean committed, String sqlState) {
	}

}
