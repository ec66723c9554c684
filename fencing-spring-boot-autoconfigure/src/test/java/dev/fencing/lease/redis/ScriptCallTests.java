package dev.fencing.lease.redis;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ScriptCall} at moments that no real server can be stopped at.
 */
class ScriptCallTests {

	private final ScriptRequest request = LuaScript.load("release")
		.on(() -> "'key'", List.of("key"), List.of("argument"));

	private final AsyncCommand<byte[], byte[], List<Object>> byDigest = command();

	private final AsyncCommand<byte[], byte[], List<Object>> byText = command();

	private final List<String> sent = new ArrayList<>();

	private final ScriptCall call = ScriptCall.send(commands(), this.request);

	@Test
	void knownScriptIsSentOnce() {
		this.byDigest.complete(List.of(bytes("released")));
		assertThat(this.call.reply()).isCompletedWithValue(List.of("released"));
		verifyTextIsNotSent();
	}

	@Test
	void otherErrorsDoNotSendTheText() {
		this.byDigest.completeExceptionally(new IllegalStateException("broken"));
		assertThat(this.call.reply()).isCompletedExceptionally();
		verifyTextIsNotSent();
	}

	@Test
	void unknownScriptIsSentWithItsText() {
		this.byDigest.completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
		assertThat(this.call.reply()).isNotDone();
		assertThat(this.sent).containsExactly("evalsha " + this.request.script().digest(), "eval text");
		this.byText.complete(List.of(bytes("released")));
		assertThat(this.call.reply()).isCompletedWithValue(List.of("released"));
	}

	@Test
	void abandonedCallIsNotSentWithItsTextLater() {
		assertThat(this.call.abandon().toCompletableFuture()).isDone();
		this.byDigest.completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
		verifyTextIsNotSent();
		assertThat(this.call.reply()).isCompletedExceptionally();
	}

	@Test
	void callIsAbandonedAfterTheTextThatIsOnItsWay() {
		this.byDigest.completeExceptionally(new RedisNoScriptException("NOSCRIPT"));
		CompletableFuture<?> abandoned = this.call.abandon().toCompletableFuture();
		assertThat(abandoned).isNotDone();
		this.byText.complete(List.of(bytes("released")));
		assertThat(abandoned).isDone();
	}

	private void verifyTextIsNotSent() {
		assertThat(this.sent).containsExactly("evalsha " + this.request.script().digest());
	}

	@SuppressWarnings("unchecked")
	private RedisClusterAsyncCommands<byte[], byte[]> commands() {
		return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedisClusterAsyncCommands.class }, (proxy, method, arguments) -> {
					boolean text = arguments[0] instanceof byte[];
					this.sent.add(method.getName() + " " + (text ? "text" : arguments[0]));
					return text ? this.byText : this.byDigest;
				});
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static AsyncCommand<byte[], byte[], List<Object>> command() {
		return new AsyncCommand<>(new Command<>(CommandType.EVALSHA, new ArrayOutput<>(ByteArrayCodec.INSTANCE)));
	}

}
