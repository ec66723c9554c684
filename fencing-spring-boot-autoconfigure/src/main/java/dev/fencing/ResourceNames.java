package dev.fencing;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.temporal.Temporal;
import java.util.Currency;
import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

/**
 * Makes the text of a resource from a lock name and a key. What has no textual identity
 * of its own is refused: it would lock nothing, or everything at once.
 */
final class ResourceNames {

	private ResourceNames() {
	}

	static String checkName(@Nullable String name) {
		Assert.isTrue(StringUtils.hasText(name), "A lock needs a name: it is null or blank");
		Assert.isTrue(name.indexOf(':') < 0,
				() -> "The lock name '%s' holds a ':', which parts name and key: leave it out".formatted(name));
		checkLength(name);
		return name;
	}

	/**
	 * Return the resource of a name and a key.
	 */
	static String resource(String name, @Nullable Object key) {
		Assert.isTrue(key != null,
				() -> "The key of lock '%s' is null: nothing could be told apart by it".formatted(name));
		String text = textOf(key);
		Assert.isTrue(text != null, () -> """
				The key of lock '%s' is a %s, which has no text that is the same everywhere: give text, a \
				number, an enum constant, a UUID, a date or time of java.time""".formatted(name,
				ObjectUtils.nullSafeClassName(key)));
		Assert.isTrue(StringUtils.hasText(text), () -> "The key of lock '%s' is blank".formatted(name));
		String resource = name + ":" + text;
		checkLength(resource);
		return resource;
	}

	/**
	 * Return the same text for the same key, in each process and whatever its time zone,
	 * or null for a type of which that is not known.
	 */
	private static @Nullable String textOf(Object key) {
		if (key instanceof Enum<?> constant) {
			return constant.name();
		}
		if (key instanceof BigDecimal number) {
			return number.stripTrailingZeros().toPlainString();
		}
		boolean stable = key instanceof CharSequence || key instanceof UUID || key instanceof Temporal
				|| key instanceof URI || key instanceof Currency || key instanceof Locale
				|| key.getClass().getName().startsWith("java.time.") || key instanceof BigInteger
				|| ClassUtils.isPrimitiveWrapper(key.getClass());
		return stable ? key.toString() : null;
	}

	private static void checkLength(String resource) {
		Assert.isTrue(resource.length() <= LockRequest.MAX_RESOURCE_LENGTH,
				() -> "The resource '%s...' is %d characters long: at most %d are allowed"
					.formatted(resource.substring(0, 40), resource.length(), LockRequest.MAX_RESOURCE_LENGTH));
	}

}
