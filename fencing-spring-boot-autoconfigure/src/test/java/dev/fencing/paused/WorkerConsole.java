package dev.fencing.paused;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * What a worker and its test say to each other, line by line on the worker's standard
 * streams.
 */
@Component
class WorkerConsole {

	/** Begins each line that is meant for the test: all others are logs. */
	static final String EVENT = "> ";

	static final String GO = "go";

	private final BufferedReader input = new BufferedReader(
			new InputStreamReader(System.in, StandardCharsets.US_ASCII));

	/**
	 * Read what the test says.
	 * @return the line, or null when the test is over
	 * @throws IOException if the stream cannot be read
	 */
	@Nullable String readLine() throws IOException {
		return this.input.readLine();
	}

	void tell(String event) {
		System.out.println(EVENT + event);
	}

}
