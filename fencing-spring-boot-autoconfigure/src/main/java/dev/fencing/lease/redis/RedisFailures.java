package dev.fencing.lease.redis;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;

/**
 * Says what failed, where, and what to look at.
 */
final class RedisFailures {

	/**
	 * By the word that tells the kind of an error in the Redis protocol. It need not be
	 * the first: when the error came up in a script, some versions put others before it.
	 */
	private static final Map<String, String> HINTS = new LinkedHashMap<>();

	static {
		HINTS.put("READONLY", "It is a replica: connect to the primary");
		HINTS.put("MISCONF", "It cannot save its data: look at its log and its disk");
		HINTS.put("OOM", "It has reached its maxmemory: leases do not belong in a Redis that a cache fills");
		HINTS.put("LOADING", "It has not loaded its data yet: try again later");
		HINTS.put("MASTERDOWN", "It is a replica that has lost its primary: connect to the primary");
		HINTS.put("CLUSTERDOWN", "The cluster does not serve all its slots: look at its nodes");
		HINTS.put("NOREPLICAS", "It has fewer replicas than its min-replicas-to-write asks for");
		HINTS.put("BUSY", "Another script has been running for too long: look at what else uses this Redis");
		HINTS.put("NOAUTH", "Look at the user name and password that the application connects with");
		HINTS.put("WRONGPASS", "Look at the user name and password that the application connects with");
		HINTS.put("NOPERM", "The user that the application connects with needs EVAL, EVALSHA, GET, SET, DEL, EXISTS, "
				+ "PTTL, PEXPIRE, ZADD, ZREM, ZPOPMIN and TIME on the keys of the namespace, PUBLISH and SUBSCRIBE on "
				+ "its channels, and WAIT if fencing.redis.replica-acknowledgements is set");
	}

	private final LettuceConnectionFactory factory;

	RedisFailures(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * Make the exception for a request that failed.
	 */
	LeaseProviderException of(ScriptRequest request, Throwable failure) {
		return of(request.describe(), failure);
	}

	/**
	 * Make the exception for something that failed.
	 * @param what in words that can follow "could not"
	 * @param failure why
	 */
	LeaseProviderException of(String what, Throwable failure) {
		if (failure instanceof LeaseProviderException known) {
			return known;
		}
		return new LeaseProviderException(describe(what, where(), failure), failure);
	}

	/**
	 * Say what failed.
	 * @param action what was to be done, in words that can follow "could not"
	 * @param where where, as in {@link #where()}
	 */
	static String describe(String action, String where, Throwable failure) {
		return "Could not %s at %s: %s".formatted(action, where, reason(failure));
	}

	private static String reason(Throwable failure) {
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
		if (cause instanceof InterruptedException) {
			return "interrupted while waiting for the answer";
		}
		if (cause instanceof TimeoutException || cause instanceof RedisCommandTimeoutException) {
			return "no answer in time. Is it reachable from here, and not overloaded?";
		}
		String message = (cause.getMessage() != null) ? cause.getMessage() : cause.getClass().getSimpleName();
		for (Map.Entry<String, String> hint : HINTS.entrySet()) {
			if (message.contains(hint.getKey())) {
				return message + ". " + hint.getValue();
			}
		}
		return isConnectionFailure(failure) ? message + ". Is it running, and reachable from here?" : message;
	}

	private static boolean isConnectionFailure(Throwable failure) {
		for (Throwable current = failure; current != null; current = current.getCause()) {
			if (current instanceof RedisConnectionException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Name the server or servers that the factory leads to.
	 */
	String where() {
		if (this.factory.isClusterAware()) {
			return "the Redis cluster";
		}
		if (this.factory.isRedisSentinelAware()) {
			return "the Redis that Sentinel names";
		}
		if (ListedServers.areOf(this.factory)) {
			return "the Redis primary among those that are listed";
		}
		RedisSocketConfiguration socket = this.factory.getSocketConfiguration();
		if (socket != null) {
			return "Redis " + socket.getSocket();
		}
		return "Redis %s:%d".formatted(this.factory.getHostName(), this.factory.getPort());
	}

}
