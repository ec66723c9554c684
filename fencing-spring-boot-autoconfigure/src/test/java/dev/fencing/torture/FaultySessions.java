package dev.fencing.torture;

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
 * A data source whose next commit ends as no real server can be made to end it at will.
 * Placed below a pool: what has failed here is not used again.
 */
final class FaultySessions extends DelegatingDataSource {

	private final Queue<Connection> late = new ConcurrentLinkedQueue<>();

	private volatile @Nullable CommitFault next;

	FaultySessions(DataSource target) {
		super(target);
	}

	/**
	 * Lose the answer to the next commit.
	 */
	void loseNextAnswer(CommitFault fault) {
		this.next = fault;
	}

	/**
	 * Take back a fault that has not happened.
	 */
	void forget() {
		this.next = null;
	}

	/**
	 * Let the commits that are under way take effect. Their rows have been locked up to
	 * now. A commit that has not come yet will not be late.
	 */
	void landLateCommits() {
		if (this.next == CommitFault.LATE) {
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
		return new Session(super.getConnection()).proxy();
	}

	private final class Session {

		private final Connection target;

		private boolean given;

		Session(Connection target) {
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
			CommitFault fault = FaultySessions.this.next;
			if (method.getName().equals("commit") && fault != null) {
				FaultySessions.this.next = null;
				lose(fault);
			}
			try {
				return method.invoke(this.target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getTargetException();
			}
		}

		private void lose(CommitFault fault) throws SQLException {
			switch (fault) {
				case DONE -> this.target.commit();
				case NOT_DONE -> this.target.rollback();
				case LATE -> {
					this.given = true;
					FaultySessions.this.late.add(this.target);
				}
			}
			throw new SQLException("The answer to the commit is lost", "08006");
		}

	}

}
