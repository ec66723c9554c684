package dev.fencing.testsupport;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTestServer}.
 */
class RedisTestServerTests {

	@Test
	void startsAgainEmptyOnTheSamePort() {
		try (RedisTestServer server = RedisTestServer.started("maxclients 50")) {
			assertThat(exchange(server, "first")).isEqualTo("50");
			server.stop();
			server.start();
			assertThat(exchange(server, "second")).isEqualTo("50");
		}
	}

	@Test
	void severalRunAtTheSameTime() {
		try (RedisTestServer one = RedisTestServer.started(); RedisTestServer other = RedisTestServer.started()) {
			assertThat(one.port()).isNotEqualTo(other.port());
			exchange(one, "key");
			exchange(other, "key");
		}
	}

	@Test
	@Timeout(30)
	void stopsAlsoWhileItWritesItsFirstAppendOnlyFile() {
		try (RedisTestServer server = RedisTestServer.started("rdb-key-save-delay 1000000")) {
			RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
			try (StatefulRedisConnection<String, String> connection = client.connect()) {
				for (int key = 0; key < 60; key++) {
					connection.sync().set("key-" + key, "value");
				}
				connection.sync().configSet("appendonly", "yes");
			}
			finally {
				client.shutdown();
			}
		}
	}

	private static String exchange(RedisTestServer server, String key) {
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			assertThat(connection.sync().dbsize()).isZero();
			assertThat(connection.sync().set(key, "value")).isEqualTo("OK");
			return connection.sync().configGet("maxclients").get("maxclients");
		}
		finally {
			client.shutdown();
		}
	}

}
