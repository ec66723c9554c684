package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A script with the keys and arguments that it is to run with.
 */
record ScriptRequest(LuaScript script, List<String> keys, List<String> arguments) {

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
		return "%s '%s'".formatted(this.script.name(), this.keys.get(this.keys.size() - 1));
	}

	private static byte[][] bytes(List<String> texts) {
		return texts.stream().map((text) -> text.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
	}

}
