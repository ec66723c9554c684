package dev.fencing.autoconfigure;

import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values that nothing can work with are refused by the name of their property.
 */
class InvalidPropertiesTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			fencing.lock.lease-time            | 0           | at least 10 ms
			fencing.lock.lease-time            | 9ms         | at least 10 ms
			fencing.lock.wait-time             | -1s         | must not be negative
			fencing.lock.renew-interval        | 30s         | shorter than fencing.lock.lease-time, which is PT30S
			fencing.lock.renew-interval        | 0           | positive
			fencing.lock.max-hold              | 5ms         | at least 10 ms
			fencing.lock.order                 | first       | Integer
			fencing.namespace                  | a{b}        | braces
			fencing.namespace                  | a b         | white space
			fencing.namespace                  | ''          | blank
			fencing.namespace                  | a:3         | partitions
			fencing.rejections.capacity        | -1          | must not be negative
			fencing.rejections.store           | redis       | RejectionStore
			fencing.rejections.queue-capacity  | 0           | positive
			fencing.rejections.retention       | -1d         | must not be negative
			fencing.rejections.retention       | 36501d      | at most 36500 days
			fencing.rejections.table-name      | t; drop x   | name of a table
			fencing.rejections.schema          | ''          | must name a script
			fencing.redis.replica-acknowledgements | -1      | must not be negative
			fencing.redis.replica-timeout      | 0           | at least 1 ms
			fencing.redis.replica-timeout      | -1s         | at least 1 ms
			fencing.redis.partitions           | 0           | from 1 to 1024
			fencing.redis.partitions           | 1025        | from 1 to 1024
			fencing.redis.durability-check     | maybe       | DurabilityCheck
			fencing.jdbc.token-column          | fencing tok | plain name of a column
			fencing.jdbc.token-column          | ''          | plain name of a column
			fencing.jdbc.table-name            | t; drop x   | name of a table
			fencing.jdbc.table-name            | ''          | name of a table
			fencing.jdbc.registration-timeout  | 0           | positive
			fencing.jdbc.schema                | ''          | must name a script
			fencing.provider                   | zookeeper   | Provider
			""")
	void refusedByName(String name, String value, String reason) {
		String[] arguments = Stream.concat(Arrays.stream(Startup.WORKING), Stream.of("--" + name + "=" + value))
			.toArray(String[]::new);
		FailureAnalysis analysis = Startup.failure(Startup.WithoutRedis.class, arguments);
		assertThat(analysis.getDescription()).contains(name, value, reason);
		assertThat(analysis.getAction()).isNotBlank();
	}

}
