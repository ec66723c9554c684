package dev.fencing.compat;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import com.jayway.jsonpath.JsonPath;

/**
 * The names and types in a JSON document, without its values.
 */
final class JsonShape {

	private final TreeSet<String> lines = new TreeSet<>();

	private JsonShape() {
	}

	/**
	 * Return the shape of a document.
	 * @param json the document
	 * @return a line for each name, as in {@code leases[].lock string}, in their order
	 */
	static String of(String json) {
		JsonShape shape = new JsonShape();
		shape.add("", JsonPath.read(json, "$"));
		return String.join("\n", shape.lines);
	}

	private void add(String path, Object value) {
		if (value instanceof Map<?, ?> object) {
			object.forEach((name, member) -> add(path.isEmpty() ? name.toString() : path + "." + name, member));
		}
		else if (value instanceof List<?> array && !array.isEmpty()) {
			array.forEach((item) -> add(path + "[]", item));
		}
		else {
			this.lines.add(path + " " + type(value));
		}
	}

	private static String type(Object value) {
		if (value == null) {
			return "null";
		}
		if (value instanceof List) {
			return "array";
		}
		return (value instanceof Number) ? "number" : (value instanceof Boolean) ? "boolean" : "string";
	}

}
