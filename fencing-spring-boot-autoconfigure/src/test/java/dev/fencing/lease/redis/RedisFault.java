package dev.fencing.lease.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.lettuce.core.api.sync.RedisCommands;

import static org.awaitility.Awaitility.await;

/**
 * What may be wrong with a Redis that answers.
 */
enum RedisFault {

	/**
	 * It has become a replica.
	 */
	READONLY {

		@Override
		void begin(RedisCommands<String, String> redis) {
			redis.replicaof("127.0.0.1", 1);
		}

		@Override
		void end(RedisCommands<String, String> redis) {
			redis.replicaofNoOne();
		}

	},

	/**
	 * It cannot save its data.
	 */
	MISCONF {

		@Override
		void begin(RedisCommands<String, String> redis) {
			redis.configSet("dir", directoryWithDirectory("blocked").toString());
			// A file cannot take the place of a directory, whoever asks for it
			redis.configSet("dbfilename", "blocked");
			redis.configSet("save", "3600 1000000");
			save(redis, "err");
		}

		@Override
		void end(RedisCommands<String, String> redis) {
			redis.configSet("dbfilename", "free.rdb");
			save(redis, "ok");
			redis.configSet("save", "");
		}

		private void save(RedisCommands<String, String> redis, String outcome) {
			redis.bgsave();
			await().until(() -> redis.info("persistence").contains("rdb_last_bgsave_status:" + outcome));
		}

	},

	/**
	 * It has no memory left, which a script finds out when it writes.
	 */
	OOM {

		@Override
		void begin(RedisCommands<String, String> redis) {
			redis.configSet("maxmemory", "1");
		}

		@Override
		void end(RedisCommands<String, String> redis) {
			redis.configSet("maxmemory", "0");
		}

	};

	/**
	 * Let it begin.
	 */
	abstract void begin(RedisCommands<String, String> redis);

	/**
	 * Let it be over.
	 */
	abstract void end(RedisCommands<String, String> redis);

	static Path directoryWithDirectory(String name) {
		try {
			Path directory = Files.createTempDirectory("fencing-redis");
			directory.toFile().deleteOnExit();
			Files.createDirectory(directory.resolve(name)).toFile().deleteOnExit();
			return directory;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
