package dev.fencing.lease.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import io.lettuce.core.codec.Base16;

import org.springframework.core.io.ClassPathResource;

/**
 * A script of this package: its text, and the digest that Redis knows it by.
 */
final class LuaScript {

	private final String name;

	private final byte[] text;

	private final String digest;

	private LuaScript(String name, byte[] text) {
		this.name = name;
		this.text = text;
		this.digest = Base16.digest(text);
	}

	/**
	 * Load a script, with what all of them have in common before it.
	 */
	static LuaScript load(String name) {
		byte[] common = read("common");
		byte[] script = read(name);
		byte[] text = Arrays.copyOf(common, common.length + script.length);
		System.arraycopy(script, 0, text, common.length, script.length);
		return new LuaScript(name, text);
	}

	private static byte[] read(String name) {
		try {
			return new ClassPathResource(name + ".lua", LuaScript.class).getContentAsByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Make a request to run it on the given keys.
	 * @param subject says what it is about, in words that can follow the script's name
	 */
	ScriptRequest on(Supplier<String> subject, List<String> keys, List<String> arguments) {
		return new ScriptRequest(this, subject, keys, arguments);
	}

	String name() {
		return this.name;
	}

	byte[] text() {
		return this.text;
	}

	String digest() {
		return this.digest;
	}

}
