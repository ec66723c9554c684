package dev.fencing.benchmark.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Counts the commands that clients send to a Redis, with MONITOR, which unlike
 * {@code INFO commandstats} tells them from those that scripts call.
 *
 * @since 0.1.0
 */
public final class WireCommands implements AutoCloseable {

	/**
	 * What clients send of themselves, now and then.
	 */
	private static final Pattern OF_A_CONNECTION = Pattern.compile("] \"(?i:ping|hello|client|info)\"");

	private final Socket monitor;

	private final BufferedReader lines;

	private final int port;

	/**
	 * Begin to count.
	 * @param port the port of the Redis
	 * @throws IOException if it does not answer
	 */
	public WireCommands(int port) throws IOException {
		this.port = port;
		this.monitor = new Socket(InetAddress.getLoopbackAddress(), port);
		this.lines = new BufferedReader(new InputStreamReader(this.monitor.getInputStream(), StandardCharsets.UTF_8));
		send(this.monitor, "MONITOR");
		this.lines.readLine();
	}

	/**
	 * Return the commands that clients have sent since the last call.
	 * @return the lines of MONITOR; never null
	 * @throws IOException if the Redis does not answer
	 */
	public List<String> next() throws IOException {
		String mark = UUID.randomUUID().toString();
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			send(socket, "ECHO " + mark);
			socket.getInputStream().read();
		}
		List<String> sent = new ArrayList<>();
		String line = this.lines.readLine();
		while (line != null && !line.contains(mark)) {
			if (!line.contains(" lua] \"") && !OF_A_CONNECTION.matcher(line).find()) {
				sent.add(line);
			}
			line = this.lines.readLine();
		}
		return List.copyOf(sent);
	}

	private static void send(Socket socket, String command) throws IOException {
		socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
	}

	@Override
	public void close() {
		try {
			this.monitor.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
