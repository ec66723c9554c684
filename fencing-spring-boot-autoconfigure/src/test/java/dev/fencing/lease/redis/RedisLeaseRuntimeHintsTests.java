package dev.fencing.lease.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisLeaseRuntimeHints}.
 */
class RedisLeaseRuntimeHintsTests {

	@Test
	void everyScriptIsTakenAlong() throws IOException {
		RuntimeHints hints = new RuntimeHints();
		new RedisLeaseRuntimeHints().registerHints(hints, getClass().getClassLoader());
		List<String> scripts = scripts();
		assertThat(scripts).contains("acquire.lua");
		assertThat(scripts).allSatisfy((script) -> assertThat(hints)
			.matches(RuntimeHintsPredicates.resource().forResource("dev/fencing/lease/redis/" + script)));
	}

	@Test
	void listOfServersIsFound() throws NoSuchFieldException {
		RuntimeHints hints = new RuntimeHints();
		new RedisLeaseRuntimeHints().registerHints(hints, getClass().getClassLoader());
		assertThat(hints).matches(RuntimeHintsPredicates.reflection()
			.onFieldAccess(LettuceConnectionFactory.class.getDeclaredField("configuration")));
	}

	@Test
	void areRegistered() {
		assertThat(SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)).hasAtLeastOneElementOfType(RedisLeaseRuntimeHints.class);
	}

	private static List<String> scripts() throws IOException {
		Path folder = new ClassPathResource("dev/fencing/lease/redis/acquire.lua").getFile().toPath().getParent();
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> !name.endsWith(".class"))
				.toList();
		}
	}

}
