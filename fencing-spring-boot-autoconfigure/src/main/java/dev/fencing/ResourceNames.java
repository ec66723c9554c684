package dev.fencing;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.util.Assert;
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

	static String textOf(String name, @Nullable Object key) {
		Assert.isTrue(key != null,
				() -> "The key of lock '%s' is null: nothing could be told apart by it".formatted(name));
		Assert.isTrue(BeanUtils.isSimpleValueType(key.getClass()), () -> """
				The key of lock '%s' is a %s, which has no textual identity of its own: \
				give text, a number, an enum constant, a UUID, a date or another simple value""".formatted(name,
				ObjectUtils.nullSafeClassName(key)));
		String text = (key instanceof Enum<?> constant) ? constant.name() : key.toString();
		Assert.isTrue(StringUtils.hasText(text), () -> "The key of lock '%s' is blank".formatted(name));
		checkLength(resource(name, text));
		return text;
	}

	static String resource(String name, @Nullable String key) {
		return (key != null) ? name + ":" + key : name;
	}

	private static void checkLength(String resource) {
		Assert.isTrue(resource.length() <= LockRequest.MAX_RESOURCE_LENGTH,
				() -> "The resource '%s...' is %d characters long: at most %d are allowed"
					.formatted(resource.substring(0, 40), resource.length(), LockRequest.MAX_RESOURCE_LENGTH));
	}

}
