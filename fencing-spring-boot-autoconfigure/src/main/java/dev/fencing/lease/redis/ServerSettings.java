package dev.fencing.lease.redis;

import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What one server has told of its settings.
 *
 * @param server its name, as in {@code Redis 127.0.0.1:6379}
 * @param values the values that it told, by the names of INFO or of CONFIG
 * @param error what it did not tell and why; null if it told everything
 */
record ServerSettings(String server, Map<String, String> values, @Nullable String error) {

	static final String SAVE = "save";

	static final String APPENDFSYNC = "appendfsync";

	static final String NO_APPENDFSYNC_ON_REWRITE = "no-appendfsync-on-rewrite";

	static final String MIN_REPLICAS_MAX_LAG = "min-replicas-max-lag";

	static final String MIN_REPLICAS_TO_WRITE = "min-replicas-to-write";

	static ServerSettings unknown(String server, String error) {
		return new ServerSettings(server, Map.of(), error);
	}

	/**
	 * Return the policy by which it may evict keys, or null if it evicts none or did not
	 * tell.
	 */
	@Nullable String evictionPolicy() {
		String policy = this.values.get("maxmemory_policy");
		Long limit = number("maxmemory");
		return (policy != null && limit != null && limit > 0 && !policy.equals("noeviction")) ? policy : null;
	}

	/**
	 * Return whether it is known to write no log of what it does.
	 */
	boolean isWithoutAppendOnlyFile() {
		return "0".equals(this.values.get("aof_enabled"));
	}

	/**
	 * Return when it takes snapshots, empty if never, or null if it did not tell.
	 */
	@Nullable String snapshots() {
		return this.values.get(SAVE);
	}

	/**
	 * Return when its log comes to disk, or null if there is none or it did not tell.
	 */
	@Nullable String appendFsync() {
		return "1".equals(this.values.get("aof_enabled")) ? this.values.get(APPENDFSYNC) : null;
	}

	/**
	 * Return how many replicas are connected to it, or null if it did not tell.
	 */
	@Nullable Long connectedReplicas() {
		return number("connected_slaves");
	}

	/**
	 * Return whether its log is known to come to disk some time only, while it is being
	 * rewritten.
	 */
	boolean isWithoutFsyncOnRewrite() {
		String fsync = appendFsync();
		return fsync != null && !fsync.equals("no") && "yes".equals(this.values.get(NO_APPENDFSYNC_ON_REWRITE));
	}

	/**
	 * Return the setting by which it is known to write also when no replica is connected:
	 * each of two switches that off with 0. Null if there is none.
	 */
	@Nullable String writesWithoutReplicas() {
		return Stream.of(MIN_REPLICAS_TO_WRITE, MIN_REPLICAS_MAX_LAG)
			.filter((setting) -> "0".equals(this.values.get(setting)))
			.findFirst()
			.orElse(null);
	}

	private @Nullable Long number(String name) {
		String value = this.values.get(name);
		return (value != null && value.matches("\\d{1,18}")) ? Long.valueOf(value) : null;
	}

}
