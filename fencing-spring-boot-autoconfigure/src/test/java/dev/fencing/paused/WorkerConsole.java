package dev.fencing.paused;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

import dev.fencing.testsupport.JavaProcess;

/**
 * What a worker and its test say to each other, line by line on the worker's standard
 * streams.
 */
@Component
class WorkerConsole {

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
		System.out.println(JavaProcess.EVENT + event);
	}

}
