package dev.fencing.lease.redis;

import org.springframework.util.Assert;

/**
 * Settings of the {@link RedisLeaseProvider}.
 *
 * @param namespace the prefix of all keys: services that guard the same resources share
 * it. Not blank, without white space and braces
 * @param clockFloor whether a generation is at least the milliseconds of the Redis
 * server's clock, so that a counter that was lost does not start again at 1
 * @since 0.1.0
 */
public record RedisLeaseSettings(String namespace, boolean clockFloor) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if the namespace is blank or holds white space or
	 * braces
	 */
	public RedisLeaseSettings {
		Assert.hasText(namespace, "The namespace must not be blank: it is the prefix of all Redis keys");
		Assert.isTrue(namespace.chars().noneMatch(RedisLeaseSettings::isForbidden),
				() -> "The namespace '%s' must not hold white space nor braces".formatted(namespace));
	}

	private static boolean isForbidden(int character) {
		return character == '{' || character == '}' || Character.isWhitespace(character)
				|| Character.isISOControl(character);
	}

}
