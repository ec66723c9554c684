package dev.fencing.lease.redis;

import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import dev.fencing.LeaseProviderException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisFailures}.
 */
class RedisFailuresTests {

	private final ScriptRequest request = LuaScript.load("acquire")
		.on(() -> "'{f}:lease:42'", List.of("{f}:counter", "{f}:lease:42"), List.of());

	private final RedisFailures failures = new RedisFailures(new LettuceConnectionFactory("redis.example.org", 6380));

	@ParameterizedTest
	@CsvSource(textBlock = """
			READONLY You can't write against a read only replica., primary
			ERR Error running script (call to f_1): -READONLY You can't write against a read only replica., primary
			MISCONF Redis is configured to save RDB snapshots, disk
			OOM command not allowed when used memory > 'maxmemory'., maxmemory
			LOADING Redis is loading the dataset in memory, later
			MASTERDOWN Link with MASTER is down, primary
			CLUSTERDOWN Hash slot not served, nodes
			NOREPLICAS Not enough good replicas to write., min-replicas-to-write
			BUSY Redis is busy running a script., uses this Redis
			NOAUTH Authentication required., password
			WRONGPASS invalid username-password pair, password
			NOPERM this user has no permissions to run the 'evalsha' command, EVALSHA
			NOPERM this user has no permissions to run the 'wait' command, WAIT if
			""")
	void errorOfRedisComesWithWhatToLookAt(String error, String advice) {
		RedisCommandExecutionException failure = new RedisCommandExecutionException(error);
		LeaseProviderException exception = this.failures.of(this.request, failure);
		assertThat(exception).hasCause(failure)
			.hasMessageStartingWith("Could not acquire '{f}:lease:42' at Redis redis.example.org:6380: " + error)
			.message()
			.satisfies((message) -> assertThat(message.substring(message.indexOf(error) + error.length()))
				.contains(advice));
	}

	@Test
	void otherErrorIsTold() {
		assertThat(this.failures.of(this.request, new RedisCommandExecutionException("ERR something else")))
			.hasMessageEndingWith(": ERR something else");
	}

	@Test
	void failureWithoutAMessageIsNamed() {
		assertThat(this.failures.of(this.request, new IllegalStateException()))
			.hasMessageEndingWith(": IllegalStateException");
	}

	@Test
	void connectionFailureIsToldByItsCause() {
		assertThat(this.failures.of(this.request,
				new RedisConnectionException("Unable to connect", new ConnectException("Connection refused"))))
			.hasMessageEndingWith(": Connection refused. Is it running, and reachable from here?");
	}

	@Test
	void timeoutIsTold() {
		assertThat(this.failures.of(this.request, new TimeoutException())).hasMessageContaining("no answer in time");
	}

	@Test
	void whatFailedMayBeNoScript() {
		assertThat(this.failures.of("do that", new TimeoutException()))
			.hasMessageStartingWith("Could not do that at Redis redis.example.org:6380: ");
	}

	@Test
	void exceptionOfOurOwnIsKept() {
		LeaseProviderException exception = new LeaseProviderException("ours");
		assertThat(this.failures.of(this.request, exception)).isSameAs(exception);
	}

	@Test
	void whatHasNoHostOfItsOwnIsCalledByWhatItIs() {
		RedisFailures socket = new RedisFailures(
				new LettuceConnectionFactory(new RedisSocketConfiguration("/run/redis.sock")));
		assertThat(socket.of(this.request, new TimeoutException())).hasMessageContaining("at Redis /run/redis.sock:");
		RedisFailures cluster = new RedisFailures(
				new LettuceConnectionFactory(new RedisClusterConfiguration(List.of("10.0.0.1:7000"))));
		assertThat(cluster.of(this.request, new TimeoutException())).hasMessageContaining("at the Redis cluster:");
		RedisFailures sentinel = new RedisFailures(new LettuceConnectionFactory(
				new RedisSentinelConfiguration().master("orders").sentinel("10.0.0.1", 1)));
		assertThat(sentinel.of(this.request, new TimeoutException()))
			.hasMessageContaining("at the Redis that Sentinel names:");
		RedisFailures listed = new RedisFailures(
				new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration("10.0.0.1", 1)));
		assertThat(listed.of(this.request, new TimeoutException()))
			.hasMessageContaining("at the Redis primary among those that are listed:");
	}

}
