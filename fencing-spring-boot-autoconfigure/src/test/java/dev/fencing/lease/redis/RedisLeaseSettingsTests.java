package dev.fencing.lease.redis;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisLeaseSettings}.
 */
class RedisLeaseSettingsTests {

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a\t", "{a}", "a{", "}", "a\u0000", "a:3" })
	void namespaceThatMakesNoHashTagOfItsOwnIsRefused(String namespace) {
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisLeaseSettings(namespace, true))
			.withMessageContaining("namespace");
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1025 })
	void numberOfPartitionsHasBounds(int partitions) {
		assertThatIllegalArgumentException().isThrownBy(() -> RedisFixture.SETTINGS.withPartitions(partitions))
			.withMessageContaining("from 1 to 1024");
	}

	@Test
	void anyOtherNamespaceIsAccepted() {
		assertThat(new RedisLeaseSettings("team-3:a:größe", true).namespace()).isEqualTo("team-3:a:größe");
	}

	@Test
	void replicasThatMakeNoSenseAreRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisLeaseSettings("team", true, -1, Duration.ofSeconds(1)))
			.withMessageContaining("-1");
		assertThatIllegalArgumentException().isThrownBy(() -> new RedisLeaseSettings("team", true, 1, Duration.ZERO))
			.withMessageContaining("PT0S");
	}

}
