package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A script with the keys and arguments that it is to run with.
 *
 * @param script what to run
 * @param subject what it is about, in words that can follow the script's name
 * @param keys the keys
 * @param arguments the arguments
 */
record ScriptRequest(LuaScript script, String subject, List<String> keys, List<String> arguments) {

	byte[][] keyBytes() {
		return bytes(this.keys);
	}

	byte[][] argumentBytes() {
		return bytes(this.arguments);
	}

	/**
	 * Say it in words that can follow "could not".
	 */
	String describe() {
		return "%s %s".formatted(this.script.name(), this.subject);
	}

	private static byte[][] bytes(List<String> texts) {
		return texts.stream().map((text) -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

}
