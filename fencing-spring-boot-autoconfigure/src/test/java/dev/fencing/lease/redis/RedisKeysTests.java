package dev.fencing.lease.redis;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisKeys}.
 */
class RedisKeysTests {

	private static final String ALPHABET = "{}{}:ab é日 \t";

	private final RedisKeys keys = new RedisKeys(new RedisLeaseSettings("orders", true));

	private final RedisKeys divided = new RedisKeys(new RedisLeaseSettings("orders", true).withPartitions(8));

	@Test
	void keysAreNamedAfterTheNamespace() {
		assertThat(this.keys.counter("document:42")).isEqualTo("{orders}:counter");
		assertThat(this.keys.lease("document:42")).isEqualTo("{orders}:lease:document:42");
	}

	/**
	 * The numbers are fixed: a version that computed others would not see the leases of
	 * the former one.
	 */
	@Test
	void partitionIsTheChecksumOfTheResourceModuloTheirNumber() {
		assertThat(this.divided.partition("123456789")).isEqualTo((int) (0xCBF43926L % 8));
		assertThat(this.divided.partition("größe:日本")).isEqualTo(0);
		assertThat(this.divided.counter("123456789")).isEqualTo("{orders:6}:counter");
		assertThat(this.divided.lease("123456789")).isEqualTo("{orders:6}:lease:123456789");
		assertThat(this.divided.waiting("123456789")).isEqualTo("{orders:6}:waiting:123456789");
		assertThat(this.divided.channel("1")).isEqualTo("{orders}:released:1");
	}

	@Test
	void partitionsAreOfAboutTheSameSize() {
		int[] sizes = new int[8];
		IntStream.range(0, 8_000).forEach((key) -> sizes[this.divided.partition("document:" + key)]++);
		assertThat(IntStream.of(sizes).boxed()).allSatisfy((size) -> assertThat(size).isBetween(800, 1_200));
	}

	@Test
	void noResourceMovesItsLeaseToAnotherSlot() {
		Random random = new Random(7);
		for (int i = 0; i < 10_000; i++) {
			String resource = random.ints(random.nextInt(12), 0, ALPHABET.length())
				.collect(StringBuilder::new, (text, index) -> text.append(ALPHABET.charAt(index)),
						StringBuilder::append)
				.toString();
			assertOneSlot(this.keys, resource);
			assertOneSlot(this.divided, resource);
		}
	}

	private static void assertOneSlot(RedisKeys keys, String resource) {
		int slot = slot(keys.counter(resource));
		assertThat(slot(keys.lease(resource))).as(resource).isEqualTo(slot);
		assertThat(slot(keys.waiting(resource))).as(resource).isEqualTo(slot);
		assertThat(keys.resource(keys.lease(resource))).isEqualTo(resource);
	}

	private static int slot(String key) {
		return SlotHash.getSlot(key.getBytes(StandardCharsets.UTF_8));
	}

}
