package dev.fencing.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.SqlTypeValue;
import org.springframework.util.ClassUtils;

/**
 * Stands in for a prepared statement while a setter of the application sets its
 * parameters, to know them before they get their places between ours.
 */
final class RecordedParameters implements InvocationHandler {

	private final List<@Nullable Object> arguments = new ArrayList<>();

	private RecordedParameters() {
	}

	/**
	 * Record what a setter sets.
	 * @return the arguments in order
	 * @throws InvalidDataAccessApiUsageException if it does something else with the
	 * statement, or leaves a parameter out
	 */
	static @Nullable Object[] of(Setter setter) {
		RecordedParameters recorded = new RecordedParameters();
		PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(ClassUtils.getDefaultClassLoader(),
				new Class<?>[] { PreparedStatement.class }, recorded);
		try {
			setter.setValues(statement);
		}
		catch (SQLException ex) {
			throw new InvalidDataAccessApiUsageException("The setter of the parameters failed", ex);
		}
		int missing = recorded.arguments.indexOf(Missing.MISSING);
		if (missing >= 0) {
			throw new InvalidDataAccessApiUsageException(
					"The setter left parameter %d out. Nothing was sent to the database".formatted(missing + 1));
		}
		return recorded.arguments.toArray();
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) {
		if (method.getDeclaringClass() == Object.class) {
			return switch (method.getName()) {
				case "equals" -> args != null && proxy == args[0];
				case "hashCode" -> System.identityHashCode(proxy);
				default -> "A statement whose parameters are being recorded";
			};
		}
		if (args != null && args.length > 1 && method.getName().startsWith("set") && args[0] instanceof Integer index) {
			if (index < 1) {
				throw new InvalidDataAccessApiUsageException(
						"Parameter %d: parameters are counted from 1. Nothing was sent to the database"
							.formatted(index));
			}
			while (this.arguments.size() < index) {
				this.arguments.add(Missing.MISSING);
			}
			this.arguments.set(index - 1, argument(method, args));
			return null;
		}
		throw new InvalidDataAccessApiUsageException("""
				A setter of parameters called %s: a statement that is still to be guarded can only have its parameters \
				set. For a value that needs the connection, give a SqlTypeValue. Nothing was sent to the database"""
			.formatted(method.getName()));
	}

	private static @Nullable Object argument(Method method, @Nullable Object[] args) {
		return switch (method.getName()) {
			case "setString", "setInt", "setLong" -> args[1];
			case "setNull" -> (args.length == 2 && args[1] instanceof Integer type) ? new SqlParameterValue(type, null)
					: new Call(method, args);
			default -> (args.length == 2 && method.getName().equals("setObject")) ? args[1] : new Call(method, args);
		};
	}

	/**
	 * Sets the parameters of a statement.
	 */
	interface Setter {

		void setValues(PreparedStatement statement) throws SQLException;

	}

	private enum Missing {

		MISSING

	}

	/**
	 * A call that is made again with another index.
	 */
	@SuppressWarnings("ArrayRecordComponent") // compared by nobody
	private record Call(Method method, @Nullable Object[] args) implements SqlTypeValue {

		@Override
		public void setTypeValue(PreparedStatement statement, int index, int type, @Nullable String typeName)
				throws SQLException {
			@Nullable Object[] moved = this.args.clone();
			moved[0] = index;
			try {
				this.method.invoke(statement, moved);
			}
			catch (InvocationTargetException ex) {
				if (ex.getCause() instanceof SQLException cause) {
					throw cause;
				}
				throw new SQLException("A parameter could not be set", ex.getCause());
			}
			catch (IllegalAccessException ex) {
				throw new SQLException("A parameter could not be set", ex);
			}
		}

	}

}
