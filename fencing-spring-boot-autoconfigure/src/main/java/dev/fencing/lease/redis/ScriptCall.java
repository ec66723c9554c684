package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

/**
 * A script that was sent: by its digest, and with its text when Redis does not know it.
 * Redis runs it once at most, unless the connection breaks and Lettuce sends it again.
 */
final class ScriptCall {

	private final CompletableFuture<List<Object>> byDigest;

	private final CompletableFuture<List<String>> reply;

	private ScriptCall(CompletableFuture<List<Object>> byDigest, CompletableFuture<List<String>> reply) {
		this.byDigest = byDigest;
		this.reply = reply;
	}

	/**
	 * Send a request.
	 */
	static ScriptCall send(RedisClusterAsyncCommands<byte[], byte[]> commands, ScriptRequest request) {
		LuaScript script = request.script();
		byte[][] keys = request.keyBytes();
		byte[][] arguments = request.argumentBytes();
		CompletableFuture<List<Object>> byDigest = commands
			.<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, arguments)
			.toCompletableFuture();
		CompletableFuture<List<String>> reply = byDigest
			.exceptionallyCompose((failure) -> isUnknownScript(failure)
					? commands.eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
					: CompletableFuture.failedFuture(failure))
			.thenApply(ScriptCall::texts);
		return new ScriptCall(byDigest, reply);
	}

	/**
	 * Return the reply.
	 */
	CompletableFuture<List<String>> reply() {
		return this.reply;
	}

	/**
	 * Give up on the reply. Whatever is sent when the stage is over comes after this
	 * call.
	 */
	CompletionStage<?> abandon() {
		// Once cancelled, the call is not sent again with its text. When it is too late
		// to
		// cancel, that may be on its way, and the reply to it has to be awaited
		return this.byDigest.cancel(false) ? CompletableFuture.completedStage(null) : this.reply;
	}

	private static boolean isUnknownScript(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
		return cause instanceof RedisNoScriptException;
	}

	static List<String> texts(List<Object> reply) {
		List<String> texts = new ArrayList<>(reply.size());
		for (Object item : reply) {
			texts.add(new String((byte[]) item, StandardCharsets.UTF_8));
		}
		return texts;
	}

}
