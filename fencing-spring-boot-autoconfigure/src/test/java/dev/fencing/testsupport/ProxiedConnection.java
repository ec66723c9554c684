package dev.fencing.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.fencing.testsupport.TcpProxy.Direction;

/**
 * One connection through a {@link TcpProxy}.
 */
final class ProxiedConnection {

	private final TcpProxy proxy;

	private final Socket client;

	private final Socket server;

	private final AtomicBoolean closed = new AtomicBoolean();

	ProxiedConnection(TcpProxy proxy, Socket client, Socket server) throws IOException {
		this.proxy = proxy;
		this.client = client;
		this.server = server;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
	}

	void start() throws IOException {
		pump(this.client, this.server, Direction.REQUESTS);
		pump(this.server, this.client, Direction.REPLIES);
	}

	void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.proxy.ended(this);
			closeQuietly(this.client);
			closeQuietly(this.server);
		}
	}

	private void pump(Socket from, Socket to, Direction direction) throws IOException {
		BlockingQueue<Piece> onTheWay = new LinkedBlockingQueue<>();
		InputStream in = from.getInputStream();
		OutputStream out = to.getOutputStream();
		TcpProxy.start(() -> untilClosed(() -> read(in, onTheWay, direction)));
		TcpProxy.start(() -> untilClosed(() -> write(out, onTheWay, direction)));
	}

	/**
	 * What ends in one direction ends the connection.
	 */
	private void untilClosed(Transfer transfer) {
		try {
			transfer.run();
		}
		catch (IOException | InterruptedException ex) {
			// Closed
		}
		finally {
			close();
		}
	}

	private void read(InputStream in, BlockingQueue<Piece> onTheWay, Direction direction)
			throws IOException, InterruptedException {
		byte[] buffer = new byte[16384];
		int length = in.read(buffer);
		while (length >= 0) {
			byte[] bytes = Arrays.copyOf(buffer, length);
			this.proxy.gate(direction).arrived(bytes);
			onTheWay.put(new Piece(bytes, System.nanoTime() + this.proxy.delay()));
			length = in.read(buffer);
		}
	}

	private void write(OutputStream out, BlockingQueue<Piece> onTheWay, Direction direction)
			throws IOException, InterruptedException {
		while (!this.closed.get()) {
			Piece piece = onTheWay.poll(1, TimeUnit.SECONDS);
			if (piece != null) {
				TimeUnit.NANOSECONDS.sleep(piece.dueAt() - System.nanoTime());
				this.proxy.gate(direction).pass();
				if (this.closed.get()) {
					return;
				}
				out.write(piece.bytes());
				out.flush();
			}
		}
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// It is of no use any more
		}
	}

	/**
	 * Bytes on their way.
	 */
	private record Piece(byte[] bytes, long dueAt) {
	}

	/**
	 * Goes on until the connection is closed.
	 */
	private interface Transfer {

		void run() throws IOException, InterruptedException;

	}

}
