package dev.fencing.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A connection whose statements a run is told of.
 */
final class WatchedConnection implements InvocationHandler {

	private final Connection connection;

	private final StaleOwnerRun run;

	private final List<String> uncommitted = new ArrayList<>();

	private WatchedConnection(Connection connection, StaleOwnerRun run) {
		this.connection = connection;
		this.run = run;
	}

	static Connection watch(Connection connection, StaleOwnerRun run) throws SQLException {
		// Data sources may be wrapped in each other: a statement counts once
		if (connection instanceof Watched || connection.isWrapperFor(Watched.class)) {
			return connection;
		}
		return (Connection) proxy(new WatchedConnection(connection, run), Connection.class, Watched.class);
	}

	private static Object proxy(InvocationHandler handler, Class<?>... types) {
		return Proxy.newProxyInstance(WatchedConnection.class.getClassLoader(), types, handler);
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
		switch (method.getName()) {
			case "equals" -> {
				return args != null && proxy == args[0];
			}
			case "hashCode" -> {
				return System.identityHashCode(proxy);
			}
			case "isWrapperFor" -> {
				if (args != null && args[0] == Watched.class) {
					return true;
				}
			}
			case "rollback" -> {
				if (args == null) {
					this.uncommitted.clear();
				}
			}
			case "close", "abort" -> this.uncommitted.clear();
			default -> {
			}
		}
		boolean commits = method.getName().equals("commit")
				|| (method.getName().equals("setAutoCommit") && args != null && Boolean.TRUE.equals(args[0]));
		Object result = proceed(this.connection, method, args);
		if (commits) {
			committed();
		}
		if (result instanceof Statement statement) {
			String sql = (args != null && args.length > 0 && args[0] instanceof String text) ? text : null;
			return proxy(new WatchedStatement(statement, (Connection) proxy, sql), statementType(statement));
		}
		return result;
	}

	private static Class<?> statementType(Statement statement) {
		if (statement instanceof CallableStatement) {
			return CallableStatement.class;
		}
		return (statement instanceof PreparedStatement) ? PreparedStatement.class : Statement.class;
	}

	private static @Nullable Object proceed(Object target, Method method, Object @Nullable [] args) throws Throwable {
		try {
			return method.invoke(target, args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private void wrote(List<String> statements) throws SQLException {
		this.uncommitted.addAll(statements);
		if (this.connection.getAutoCommit()) {
			committed();
		}
	}

	private void committed() {
		WriteJournal journal = this.run.journal();
		if (journal != null) {
			journal.committed(List.copyOf(this.uncommitted));
		}
		this.uncommitted.clear();
	}

	/**
	 * Marks the connections that are watched.
	 */
	interface Watched {

	}

	/**
	 * A statement of a watched connection.
	 */
	private final class WatchedStatement implements InvocationHandler {

		private final Statement statement;

		private final Connection owner;

		private final @Nullable String sql;

		private final List<String> batch = new ArrayList<>();

		WatchedStatement(Statement statement, Connection owner, @Nullable String sql) {
			this.statement = statement;
			this.owner = owner;
			this.sql = sql;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
			String name = method.getName();
			if (name.equals("equals")) {
				return args != null && proxy == args[0];
			}
			if (name.equals("hashCode")) {
				return System.identityHashCode(proxy);
			}
			if (name.equals("getConnection")) {
				return this.owner;
			}
			String text = (args != null && args.length > 0 && args[0] instanceof String given) ? given : this.sql;
			if (name.equals("addBatch") && text != null) {
				this.batch.add(text);
			}
			if (name.equals("clearBatch")) {
				this.batch.clear();
			}
			return name.startsWith("execute") ? execute(method, args, text) : proceed(this.statement, method, args);
		}

		private @Nullable Object execute(Method method, Object @Nullable [] args, @Nullable String text)
				throws Throwable {
			WatchedConnection.this.run.beforeStatement();
			SuccessorThread successor = WatchedConnection.this.run.successorIfCurrent();
			if (successor != null) {
				successor.statementBegins();
			}
			try {
				Object result = proceed(this.statement, method, args);
				wrote(writes(text));
				return result;
			}
			finally {
				if (successor != null) {
					successor.statementEnds();
				}
			}
		}

		private List<String> writes(@Nullable String text) {
			List<String> executed = new ArrayList<>(this.batch);
			this.batch.clear();
			if (executed.isEmpty() && text != null) {
				executed.add(text);
			}
			executed.removeIf((sql) -> sql.stripLeading().toLowerCase(Locale.ROOT).startsWith("select"));
			return executed;
		}

	}

}
