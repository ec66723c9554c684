package dev.fencing.testsupport;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.locks.ReentrantLock;

import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

import org.springframework.util.Assert;

/**
 * A real Redis on a free port of the loopback interface, which keeps nothing on disk. It
 * is started by {@link #started(String...)} and may be stopped and started again on the
 * same port. The system property {@value #EXECUTABLE_PROPERTY} names another server
 * binary than the embedded one.
 */
public final class RedisTestServer implements AutoCloseable {

	static final String EXECUTABLE_PROPERTY = "fencing.test.redis-executable";

	private static final int START_ATTEMPTS = 10;

	private static final ReentrantLock executableLock = new ReentrantLock();

	private static @Nullable File executable;

	private final RedisServer server;

	private final int port;

	private RedisTestServer(RedisServer server, int port) {
		this.server = server;
		this.port = port;
	}

	/**
	 * Start a server.
	 * @param settings further lines of its configuration file
	 * @return the running server
	 */
	public static RedisTestServer started(String... settings) {
		IOException failure = new IOException("Redis does not start");
		for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
			// Another process may take the free port before the server does
			try {
				int port = freePort();
				RedisTestServer created = new RedisTestServer(newServer(port, settings), port);
				created.server.start();
				return created;
			}
			catch (IOException ex) {
				failure.addSuppressed(ex);
			}
		}
		throw new UncheckedIOException(failure);
	}

	/**
	 * Start a server that replicates another one, without the help of a disk.
	 * @param port where it reaches the other one, on 127.0.0.1; that need not be itself
	 * @return the running server
	 */
	public static RedisTestServer replicaOf(int port) {
		return started("replicaof 127.0.0.1 " + port, "repl-diskless-load on-empty-db");
	}

	/**
	 * Wait until a server has a replica that takes in what is written.
	 * @param commands of the server
	 */
	public static void awaitReplica(RedisCommands<String, String> commands) {
		commands.set("replicated", "");
		commands.del("replicated");
		Assert.state(commands.waitForReplication(1, 20_000) == 1, "The replica does not come");
	}

	/**
	 * Return the port, which stays the same over a restart.
	 * @return the port on 127.0.0.1
	 */
	public int port() {
		return this.port;
	}

	/**
	 * Start it again, empty, on the same port after {@link #stop()}.
	 */
	public void start() {
		try {
			this.server.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Stop it, with everything that was in it. Does nothing if it is stopped.
	 */
	public void stop() {
		try {
			this.server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		stop();
	}

	private static RedisServer newServer(int port, String... settings) throws IOException {
		var builder = RedisServer.newRedisServer()
			.executableProvider(RedisTestServer::executable)
			.bind("127.0.0.1")
			.port(port)
			.setting("save \"\"")
			.setting("appendonly no")
			// One that writes its first append-only file refuses to end if it is asked to
			.onShutdownForceStop(true)
			// To a replica, neither by way of a disk
			.setting("repl-diskless-sync yes")
			.setting("repl-diskless-sync-delay 0")
			// A server that nobody reads from stops at a full pipe
			.soutListener((line) -> {
			})
			.serrListener((line) -> {
			});
		for (String setting : settings) {
			builder.setting(setting);
		}
		return builder.build();
	}

	static File executable() throws IOException {
		executableLock.lock();
		try {
			File file = executable;
			if (file == null) {
				String named = System.getProperty(EXECUTABLE_PROPERTY);
				file = (named != null) ? new File(named) : ExecutableProvider.newJarResourceProvider().get();
				executable = file;
			}
			return file;
		}
		finally {
			executableLock.unlock();
		}
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
