package dev.fencing.docs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.docs.ShellSnippets.CommandRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Commands for Redis are sent to one in which somebody holds the resource that the
 * documents name, and which has been flushed before: what they look for is found.
 */
final class RedisRules implements CommandRules {

	/**
	 * What the program does itself.
	 */
	private static final List<String> OF_THE_PROGRAM = List.of("--latency-history", "-i", "1");

	private boolean flushed;

	@Override
	public void check(String place, CommandLine command) {
		List<String> words = command.pipeline().get(0).subList(1, command.pipeline().get(0).size());
		if (words.equals(OF_THE_PROGRAM)) {
			return;
		}
		if (!this.flushed) {
			assertThat(answer(List.of("flushall"))).isEqualTo("+OK");
			this.flushed = true;
		}
		RunningApplication.get()
			.bean(FencedLockTemplate.class)
			.executeWithoutResult(LockRequest.of("document").key(42), (context) -> check(place, command, words));
	}

	private static void check(String place, CommandLine command, List<String> words) {
		String answer = answer(words);
		assertThat(answer).as("%s: what Redis answers", place).doesNotStartWith("-").isNotEqualTo("$-1");
		assertThat(answer).as("%s: a key that is there", place).isNotEqualTo(":-2");
		for (List<String> filter : command.pipeline().subList(1, command.pipeline().size())) {
			assertThat(filter.get(0)).as("%s: what filters the answer", place).isEqualTo("grep");
			assertThat(answer).as(place).containsIgnoringCase(filter.get(filter.size() - 1));
		}
	}

	/**
	 * Send a command.
	 * @return what comes back, in the language of the protocol
	 */
	private static String answer(List<String> words) {
		try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), RunningApplication.get().redisPort())) {
			socket.setSoTimeout(10_000);
			String request = words.stream()
				.map((word) -> "$%d\r\n%s\r\n".formatted(word.length(), word))
				.collect(Collectors.joining("", "*%d\r\n".formatted(words.size()), ""));
			socket.getOutputStream().write((request + "*1\r\n$4\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
			String answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
				.lines()
				.collect(Collectors.joining("\n"));
			return answers.substring(0, answers.length() - "\n+OK".length());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
