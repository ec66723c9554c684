package dev.fencing.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Listens to what a Redis server runs, in its order: MONITOR shows also what scripts
 * call.
 */
public final class RedisMonitor implements AutoCloseable {

	private static final Pattern IN_SCRIPT = Pattern.compile(".*\\[\\d+ lua] \"([^\"]+)\" \"([^\"]+)\".*");

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Socket socket;

	private RedisMonitor(Socket socket) {
		this.socket = socket;
	}

	/**
	 * Begin to listen.
	 * @param server the server
	 * @return the monitor, which misses nothing from now on, to be closed by the caller
	 */
	public static RedisMonitor of(RedisTestServer server) {
		try {
			Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
			RedisMonitor monitor = new RedisMonitor(socket);
			BufferedReader reader = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
			reader.readLine();
			Thread thread = new Thread(() -> monitor.read(reader), "monitor");
			thread.setDaemon(true);
			thread.start();
			return monitor;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return what scripts have called on a key up to now.
	 * @param key the key
	 * @return the names of the commands, in upper case
	 */
	public List<String> callsOn(String key) {
		return this.lines.stream()
			.map(IN_SCRIPT::matcher)
			.filter((line) -> line.matches() && line.group(2).equals(key))
			.map(RedisMonitor::command)
			.toList();
	}

	/**
	 * Return on which keys scripts have called a command up to now.
	 * @param command the name of the command, in upper case
	 * @return the first key of each call, in the order of the calls
	 */
	public List<String> keysOf(String command) {
		return this.lines.stream()
			.map(IN_SCRIPT::matcher)
			.filter((line) -> line.matches() && command(line).equals(command))
			.map((line) -> line.group(2))
			.toList();
	}

	private static String command(Matcher line) {
		return line.group(1).toUpperCase(Locale.ROOT);
	}

	private void read(BufferedReader reader) {
		try {
			String line = reader.readLine();
			while (line != null) {
				this.lines.add(line);
				line = reader.readLine();
			}
		}
		catch (IOException ex) {
			// Closed
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
