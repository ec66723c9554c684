package dev.fencing.test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A connection whose statements a run is told of.
 */
final class WatchedConnection implements InvocationHandler {

	private static final Set<String> COMPLETIONS = Set.of("commit", "rollback", "close", "abort");

	// Data sources may be wrapped in each other: a statement counts once
	private static final ThreadLocal<Boolean> EXECUTING = ThreadLocal.withInitial(() -> false);

	private final Connection connection;

	private final StaleOwnerRun run;

	private boolean guarded;

	private WatchedConnection(Connection connection, StaleOwnerRun run) {
		this.connection = connection;
		this.run = run;
	}

	static Connection watch(Connection connection, StaleOwnerRun run) {
		return (Connection) proxy(new WatchedConnection(connection, run), Connection.class);
	}

	private static Object proxy(InvocationHandler handler, Class<?> type) {
		return Proxy.newProxyInstance(WatchedConnection.class.getClassLoader(), new Class<?>[] { type }, handler);
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
		if (method.getName().equals("equals")) {
			return args != null && proxy == args[0];
		}
		if (method.getName().equals("hashCode")) {
			return System.identityHashCode(proxy);
		}
		try {
			Object result = proceed(this.connection, method, args);
			if (result instanceof Statement statement) {
				String sql = (args != null && args.length > 0 && args[0] instanceof String text) ? text : "";
				return proxy(new WatchedStatement(statement, (Connection) proxy, sql), typeOf(statement));
			}
			return result;
		}
		finally {
			if (COMPLETIONS.contains(method.getName()) && args == null) {
				this.guarded = false;
				this.run.connectionCompleted();
			}
		}
	}

	private static Class<?> typeOf(Statement statement) {
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

	/**
	 * Tell the run what comes next: a statement of the application, or the guard, which
	 * is the only one that locks a row of the registry.
	 */
	private void before(String sql) {
		if (!this.run.isOwnTable(sql)) {
			this.run.beforeStatement();
			return;
		}
		String text = sql.toLowerCase(Locale.ROOT);
		boolean locks = text.contains("for update") || text.contains("updlock");
		if (locks && !this.guarded) {
			this.guarded = true;
			this.run.beforeGuard();
		}
	}

	/**
	 * A statement of a watched connection.
	 */
	private final class WatchedStatement implements InvocationHandler {

		private final Statement statement;

		private final Connection owner;

		private final String sql;

		WatchedStatement(Statement statement, Connection owner, String sql) {
			this.statement = statement;
			this.owner = owner;
			this.sql = sql;
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] args) throws Throwable {
			return switch (method.getName()) {
				case "equals" -> args != null && proxy == args[0];
				case "hashCode" -> System.identityHashCode(proxy);
				case "getConnection" -> this.owner;
				case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "executeBatch",
						"executeLargeBatch" ->
					EXECUTING.get() ? proceed(this.statement, method, args) : execute(method, args);
				default -> proceed(this.statement, method, args);
			};
		}

		private @Nullable Object execute(Method method, Object @Nullable [] args) throws Throwable {
			before((args != null && args.length > 0 && args[0] instanceof String text) ? text : this.sql);
			Successor successor = WatchedConnection.this.run.currentSuccessor();
			if (successor != null) {
				successor.statementBegins();
			}
			EXECUTING.set(true);
			try {
				return proceed(this.statement, method, args);
			}
			finally {
				EXECUTING.remove();
				if (successor != null) {
					successor.statementEnds(WatchedConnection.this.connection.getAutoCommit());
				}
			}
		}

	}

}
