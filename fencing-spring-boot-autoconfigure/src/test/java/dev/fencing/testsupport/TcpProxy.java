package dev.fencing.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A network between a client and a server on this machine, that a test can break: it
 * cuts, holds back and delays what goes through. Nothing is changed or overtaken.
 */
public final class TcpProxy implements AutoCloseable {

	private final ServerSocket listening;

	private volatile int target;

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	private final Map<Direction, ProxyGate> gates = new EnumMap<>(Direction.class);

	private volatile boolean cut;

	private volatile Duration latency = Duration.ZERO;

	private volatile Duration jitter = Duration.ZERO;

	private TcpProxy(ServerSocket listening, int target) {
		this.listening = listening;
		this.target = target;
		for (Direction direction : Direction.values()) {
			this.gates.put(direction, new ProxyGate());
		}
	}

	/**
	 * Listen on a free port of the loopback interface.
	 * @param target the port of the server, also on 127.0.0.1
	 * @return the proxy, to be closed by the caller
	 */
	public static TcpProxy to(int target) {
		try {
			TcpProxy proxy = new TcpProxy(new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1")), target);
			start(proxy::accept);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the port to connect to.
	 * @return the port on 127.0.0.1
	 */
	public int port() {
		return this.listening.getLocalPort();
	}

	/**
	 * Break all connections, with what is on its way in them, and any that is opened
	 * until {@link #restore()}.
	 */
	public void cut() {
		this.cut = true;
		this.connections.forEach(ProxiedConnection::close);
	}

	/**
	 * Let connections be opened again.
	 */
	public void restore() {
		this.cut = false;
	}

	/**
	 * Lead connections that are opened from now on to another server.
	 * @param port its port, also on 127.0.0.1
	 */
	public void leadTo(int port) {
		this.target = port;
	}

	/**
	 * Hold back what goes in a direction from now on, in all connections. They stay open.
	 * @param direction the direction
	 */
	public void hold(Direction direction) {
		gate(direction).shut();
	}

	/**
	 * Let go on what was held back, and what comes after it.
	 * @param direction the direction
	 */
	public void letGo(Direction direction) {
		gate(direction).open();
	}

	/**
	 * Wait until something is held back.
	 * @param direction the direction
	 * @param text what is part of it
	 */
	public void awaitHeld(Direction direction, String text) {
		gate(direction).awaitHeld(text);
	}

	/**
	 * Delay everything by the same time from now on.
	 * @param roundTrip the delay, half of it in each direction
	 */
	public void latency(Duration roundTrip) {
		this.latency = roundTrip;
	}

	/**
	 * Delay everything by a random time from now on, in each direction.
	 * @param longest the longest delay
	 */
	public void jitter(Duration longest) {
		this.jitter = longest;
	}

	@Override
	public void close() {
		try {
			this.listening.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.gates.values().forEach(ProxyGate::open);
		this.connections.forEach(ProxiedConnection::close);
	}

	ProxyGate gate(Direction direction) {
		ProxyGate gate = this.gates.get(direction);
		if (gate == null) {
			throw new IllegalArgumentException("No gate for " + direction);
		}
		return gate;
	}

	/**
	 * Return how long what comes now is on its way, in nanoseconds.
	 */
	long delay() {
		long random = this.jitter.toNanos();
		return this.latency.toNanos() / 2 + ((random > 0) ? ThreadLocalRandom.current().nextLong(random) : 0);
	}

	void ended(ProxiedConnection connection) {
		this.connections.remove(connection);
	}

	static void start(Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.listening.accept();
				if (this.cut) {
					client.setSoLinger(true, 0);
					client.close();
				}
				else {
					connect(client);
				}
			}
		}
		catch (IOException ex) {
			// Closed
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			ProxiedConnection connection = new ProxiedConnection(this, client,
					new Socket(InetAddress.getByName("127.0.0.1"), this.target));
			this.connections.add(connection);
			connection.start();
			if (this.cut) {
				connection.close();
			}
		}
		catch (IOException ex) {
			// The server does not run
			client.close();
		}
	}

	/**
	 * Where something goes.
	 */
	public enum Direction {

		/**
		 * To the server.
		 */
		REQUESTS,

		/**
		 * To the client.
		 */
		REPLIES

	}

}
