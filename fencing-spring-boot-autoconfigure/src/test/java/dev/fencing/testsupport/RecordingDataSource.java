package dev.fencing.testsupport;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Notes the statements that are prepared on its connections, and counts the commits.
 */
public class RecordingDataSource extends DelegatingDataSource {

	private final List<String> statements = new CopyOnWriteArrayList<>();

	private final AtomicInteger commits = new AtomicInteger();

	public RecordingDataSource(DataSource target) {
		super(target);
	}

	/**
	 * Return the statements since the last call.
	 */
	public List<String> statements() {
		List<String> sent = List.copyOf(this.statements);
		this.statements.clear();
		return sent;
	}

	/**
	 * Return how many commits were asked for since the last call.
	 */
	public int commits() {
		return this.commits.getAndSet(0);
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> {
					if (method.getName().equals("prepareStatement")) {
						this.statements.add((String) arguments[0]);
					}
					else if (method.getName().equals("createStatement")) {
						this.statements.add("a statement without parameters");
					}
					else if (method.getName().equals("commit")) {
						this.commits.incrementAndGet();
					}
					try {
						return method.invoke(connection, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getTargetException();
					}
				});
	}

}
