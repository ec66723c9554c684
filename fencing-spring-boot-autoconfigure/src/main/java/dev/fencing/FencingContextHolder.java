package dev.fencing;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Binds acquisitions to the current thread. For the parts of this library; applications
 * use the static methods of {@link FencingContext}.
 *
 * @since 0.1.0
 */
public final class FencingContextHolder {

	private static final ThreadLocal<Node> BOUND = new ThreadLocal<>();

	private FencingContextHolder() {
	}

	/**
	 * Bind an acquisition to the current thread.
	 * @param context the acquisition; never null
	 */
	public static void bind(FencingContext context) {
		BOUND.set(new Node(context, BOUND.get()));
	}

	/**
	 * Remove an acquisition from the current thread.
	 * @param context the acquisition; ignored if it is not bound
	 */
	public static void unbind(FencingContext context) {
		Node rest = without(BOUND.get(), context);
		if (rest != null) {
			BOUND.set(rest);
		}
		else {
			BOUND.remove();
		}
	}

	/**
	 * Return the acquisition that was bound last.
	 * @return the acquisition, or null if none is bound
	 */
	public static @Nullable FencingContext current() {
		Node node = BOUND.get();
		return (node != null) ? node.context() : null;
	}

	/**
	 * Find the acquisition of a resource.
	 * @param resource the resource
	 * @return the acquisition, or null if it is not bound
	 */
	public static @Nullable FencingContext find(String resource) {
		for (Node node = BOUND.get(); node != null; node = node.next()) {
			if (node.context().resources().contains(resource)) {
				return node.context();
			}
		}
		return null;
	}

	/**
	 * Return all acquisitions that are bound to the current thread.
	 * @return the acquisitions, the last one first; never null
	 */
	public static List<FencingContext> all() {
		Node node = BOUND.get();
		if (node == null) {
			return List.of();
		}
		if (node.next() == null) {
			return List.of(node.context());
		}
		List<FencingContext> contexts = new ArrayList<>();
		for (; node != null; node = node.next()) {
			contexts.add(node.context());
		}
		return contexts;
	}

	private static @Nullable Node without(@Nullable Node node, FencingContext context) {
		if (node == null || node.context() == context) {
			return (node != null) ? node.next() : null;
		}
		return new Node(node.context(), without(node.next(), context));
	}

	private record Node(FencingContext context, @Nullable Node next) {
	}

}
