package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.Random;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisKeys}.
 */
class RedisKeysTests {

	private static final String ALPHABET = "{}{}:ab é日 \t";

	private final RedisKeys keys = new RedisKeys("orders");

	@Test
	void keysAreNamedAfterTheNamespace() {
		assertThat(this.keys.counter()).isEqualTo("{orders}:counter");
		assertThat(this.keys.lease("document:42")).isEqualTo("{orders}:lease:document:42");
	}

	@Test
	void noResourceMovesItsLeaseToAnotherSlot() {
		int slot = slot(this.keys.counter());
		assertThat(slot(this.keys.lease(""))).isEqualTo(slot);
		Random random = new Random(7);
		for (int i = 0; i < 10_000; i++) {
			String resource = random.ints(random.nextInt(12), 0, ALPHABET.length())
				.collect(StringBuilder::new, (text, index) -> text.append(ALPHABET.charAt(index)),
						StringBuilder::append)
				.toString();
			assertThat(slot(this.keys.lease(resource))).as(resource).isEqualTo(slot);
		}
	}

	private static int slot(String key) {
		return SlotHash.getSlot(key.getBytes(StandardCharsets.UTF_8));
	}

}
