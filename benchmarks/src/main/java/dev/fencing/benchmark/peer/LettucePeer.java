package dev.fencing.benchmark.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

/**
 * The two scripts of this project with nothing around them: what a round trip each has to
 * cost. It neither waits nor renews.
 *
 * @since 0.1.0
 */
public final class LettucePeer implements Peer {

	private static final String COUNTER = "{bare}:counter";

	private final RedisClient client;

	private final StatefulRedisConnection<String, String> connection;

	private final RedisAsyncCommands<String, String> commands;

	private final String acquire;

	private final String release;

	private final String leaseTime;

	private final String prefix = UUID.randomUUID().toString();

	private final AtomicLong acquisitions = new AtomicLong();

	/**
	 * Connect.
	 * @param redisPort the port of the Redis
	 * @param leaseTime how long a lock lasts; never null
	 */
	public LettucePeer(int redisPort, Duration leaseTime) {
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", redisPort));
		// As Spring Data has it: nobody waits for ever for a reply that does not come
		this.client.setOptions(ClientOptions.builder().timeoutOptions(TimeoutOptions.enabled()).build());
		this.connection = this.client.connect();
		this.commands = this.connection.async();
		this.acquire = this.connection.sync().scriptLoad(script("acquire"));
		this.release = this.connection.sync().scriptLoad(script("release"));
		this.leaseTime = Long.toString(leaseTime.toMillis());
	}

	private static String script(String name) {
		return read("common") + read(name);
	}

	private static String read(String name) {
		try (InputStream script = LettucePeer.class.getResourceAsStream("/dev/fencing/lease/redis/" + name + ".lua")) {
			if (script == null) {
				throw new IllegalStateException("No script " + name);
			}
			return new String(script.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public Lease acquire(String key, Duration wait) {
		String lease = redisKey(key);
		String waiting = "{bare}:waiting:" + key;
		String nonce = this.prefix + this.acquisitions.incrementAndGet();
		List<String> reply = run(this.acquire, new String[] { COUNTER, lease, waiting }, nonce, this.leaseTime,
				"8999999999999", "1", "1");
		if (!reply.get(0).equals("granted")) {
			throw new IllegalStateException("Not in time: " + key);
		}
		return new Lease(Long.parseLong(reply.get(1)), nonce,
				() -> run(this.release, new String[] { lease, waiting }, nonce, "0", "1"));
	}

	private List<String> run(String digest, String[] keys, String... arguments) {
		try {
			return this.commands.<List<String>>evalsha(digest, ScriptOutputType.MULTI, keys, arguments).get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public String redisKey(String key) {
		return "{bare}:lease:" + key;
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

	/**
	 * A lock that has been taken, and what the scripts tell of it.
	 *
	 * @param generation the number of the acquisition
	 * @param nonce the id of the acquisition; never null
	 * @param held gives it back; never null
	 * @since 0.1.0
	 */
	public record Lease(long generation, String nonce, Held held) implements Held {

		@Override
		public void release() {
			this.held.release();
		}

	}

}
