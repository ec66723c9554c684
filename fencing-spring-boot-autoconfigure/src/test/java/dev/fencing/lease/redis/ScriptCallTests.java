package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link ScriptCall} at moments that no real server can be stopped at.
 */
class ScriptCallTests {

	private final ScriptRequest request = LuaScript.load("release").on(List.of("key"), "argument");

	private final AsyncCommand<byte[], byte[], List<Object>> byDigest = command();

	private final AsyncCommand<byte[], byte[], List<Object>> byText = command();

	@SuppressWarnings("unchecked")
	private final RedisClusterAsyncCommands<byte[], byte[]> commands = mock(RedisClusterAsyncCommands.class);

	private ScriptCall call;

	@BeforeEach
	void send() {
		String digest = this.request.script().digest();
		given(this.commands.<List<Object>>evalsha(eq(digest), eq(ScriptOutputType.MULTI), any(byte[][].class),
				any(byte[].class)))
			.willReturn(this.byDigest);
		given(this.commands.<List<Object>>eval(eq(this.request.script().text()), eq(ScriptOutputType.MULTI),
				any(byte[][].class), any(byte[].class)))
			.willReturn(this.byText);
		this.call = ScriptCall.send(this.commands, this.request);
	}

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
		verify(this.commands, never()).eval(any(byte[].class), any(), any(byte[][].class), any(byte[].class));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static AsyncCommand<byte[], byte[], List<Object>> command() {
		return new AsyncCommand<>(new Command<>(CommandType.EVALSHA, new ArrayOutput<>(ByteArrayCodec.INSTANCE)));
	}

}
