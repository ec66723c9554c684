package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * A script with the keys and arguments that it is to run with.
 *
 * @param script what to run
 * @param subject says what it is about, in words that can follow the script's name; asked
 * only where something fails
 * @param keys the keys
 * @param arguments the arguments
 */
record ScriptRequest(LuaScript script, Supplier<String> subject, List<String> keys, List<String> arguments) {

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
		return "%s %s".formatted(this.script.name(), this.subject.get());
	}

	private static byte[][] bytes(List<String> texts) {
		byte[][] bytes = new byte[texts.size()][];
		for (int i = 0; i < bytes.length; i++) {
			bytes[i] = texts.get(i).getBytes(StandardCharsets.UTF_8);
		}
		return bytes;
	}

}
