package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * The data source of the database that refuses stale owners. It knows the connections of
 * that database also when a transaction manager was given another wrapper of it.
 *
 * @since 0.1.0
 */
public final class FencedDataSource {

	private static final String MARIADB = "MariaDB";

	private final DataSource dataSource;

	private final DataSource target;

	private final DataSource plain;

	private final Map<DataSource, JdbcTemplate> templates = new ConcurrentHashMap<>();

	private volatile DataSources.@Nullable Address address;

	/**
	 * Create the fenced data source.
	 * @param dataSource the data source, possibly wrapped; never null
	 */
	public FencedDataSource(DataSource dataSource) {
		this.dataSource = dataSource;
		this.target = DataSources.target(dataSource);
		this.plain = DataSources.withoutTransactionAwareness(dataSource);
	}

	/**
	 * Return the data source as the application defined it.
	 * @return the data source; never null
	 */
	public DataSource unwrap() {
		return this.dataSource;
	}

	/**
	 * Ask the database what it is.
	 * @return the product's name as the driver says it, but MariaDB also where a driver
	 * for MySQL takes it for that; never null
	 * @throws org.springframework.dao.DataAccessException if the database cannot be
	 * reached
	 */
	public String productName() {
		try (Connection connection = connect()) {
			DatabaseMetaData metaData = connection.getMetaData();
			boolean isMariaDb = String.valueOf(metaData.getDatabaseProductVersion()).contains(MARIADB);
			return isMariaDb ? MARIADB : metaData.getDatabaseProductName();
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("The fenced database does not say what it is", ex);
		}
	}

	/**
	 * Return the data source for transactions of our own.
	 */
	DataSource plain() {
		return this.plain;
	}

	/**
	 * Run statements on a connection of their own, each committed at once also where the
	 * pool's connections do not commit by themselves: no transaction of the current
	 * thread has a part in it, and no statement keeps a lock for the next one.
	 * @param timeout how long a statement may take; in whole seconds, rounded up
	 * @param work the statements
	 */
	<T extends @Nullable Object> T onOwnConnection(Duration timeout, Function<JdbcTemplate, T> work) {
		Connection connection = connect();
		try {
			JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			jdbc.setQueryTimeout((int) Math.max(1, timeout.plusMillis(999).toSeconds()));
			if (connection.getAutoCommit()) {
				return work.apply(jdbc);
			}
			return withAutoCommit(connection, () -> work.apply(jdbc));
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("The fenced database's connection failed", ex);
		}
		finally {
			JdbcUtils.closeConnection(connection);
		}
	}

	private static <T extends @Nullable Object> T withAutoCommit(Connection connection, Supplier<T> work)
			throws SQLException {
		connection.setAutoCommit(true);
		T result;
		try {
			result = work.get();
		}
		catch (RuntimeException | Error ex) {
			try {
				connection.setAutoCommit(false);
			}
			catch (SQLException restoreFailure) {
				ex.addSuppressed(restoreFailure);
			}
			throw ex;
		}
		connection.setAutoCommit(false);
		return result;
	}

	private Connection connect() {
		try {
			Connection connection = this.plain.getConnection();
			if (this.address == null) {
				readAddress(connection);
			}
			return connection;
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("No connection to the fenced database", ex);
		}
	}

	private void readAddress(Connection connection) throws SQLException {
		boolean read = false;
		try {
			this.address = DataSources.Address.of(connection);
			read = true;
		}
		finally {
			if (!read) {
				JdbcUtils.closeConnection(connection);
			}
		}
	}

	/**
	 * Return the connections of this database that are bound to the current thread.
	 */
	List<BoundConnection> bound() {
		Map<Object, Object> resources = TransactionSynchronizationManager.getResourceMap();
		if (resources.isEmpty()) {
			return List.of();
		}
		List<BoundConnection> found = new ArrayList<>(1);
		resources.forEach((key, value) -> {
			if (key instanceof DataSource handle && value instanceof ConnectionHolder holder
					&& isFenced(handle, holder)) {
				found.add(new BoundConnection(handle, holder));
			}
		});
		return found;
	}

	/**
	 * Return a template on the transaction's connection, whichever wrapper of the data
	 * source it was opened through.
	 */
	JdbcTemplate templateFor(DataSource handle) {
		return this.templates.computeIfAbsent(handle, (dataSource) -> new JdbcTemplate(dataSource));
	}

	/**
	 * Return whether the transactions of a manager are known to be on this database. Any
	 * manager with a data source property tells: those for JDBC, JPA and Hibernate do.
	 */
	boolean isManagedBy(TransactionManager manager) {
		var property = BeanUtils.getPropertyDescriptor(manager.getClass(), "dataSource");
		if (property == null || property.getReadMethod() == null) {
			return false;
		}
		return ReflectionUtils.invokeMethod(property.getReadMethod(), manager) instanceof DataSource handle
				&& DataSources.target(handle) == this.target;
	}

	/**
	 * Asked of each connection anew: a data source may route to several databases, and
	 * our own address is not known before the first registration.
	 */
	private boolean isFenced(DataSource handle, ConnectionHolder holder) {
		return handle == this.dataSource || DataSources.target(handle) == this.target || hasSameAddress(holder);
	}

	private boolean hasSameAddress(ConnectionHolder holder) {
		DataSources.Address ours = this.address;
		if (ours == null) {
			return false;
		}
		try {
			return ours.isAddressOf(holder.getConnection());
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("Cannot tell which database a connection leads to", ex);
		}
	}

	/**
	 * A connection that is bound to the current thread.
	 *
	 * @param handle the data source that it is bound for
	 * @param holder what holds it
	 */
	record BoundConnection(DataSource handle, ConnectionHolder holder) {
	}

}
