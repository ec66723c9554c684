package dev.fencing.docs;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;

import dev.fencing.actuate.FencingReport;
import dev.fencing.actuate.ResourceReport;
import dev.fencing.actuate.TerminationReport;

/**
 * What the endpoint answers, as its records tell.
 */
final class ReportFields {

	static final List<Class<?>> ANSWERS = List.of(FencingReport.class, ResourceReport.class, TerminationReport.class);

	private ReportFields() {
	}

	/**
	 * Return the names of all fields of all answers.
	 */
	static Set<String> names() {
		Set<String> names = new TreeSet<>();
		ANSWERS.forEach((answer) -> addNames(answer, names));
		return names;
	}

	private static void addNames(Class<?> type, Set<String> names) {
		fields(type).forEach((name, field) -> {
			names.add(name);
			addNames(element(field), names);
		});
	}

	/**
	 * Return how a JSON object differs from a record: it has to have the same fields, and
	 * so on in lists and objects.
	 */
	static List<String> differences(String path, JsonNode json, Class<?> type) {
		List<String> differences = new ArrayList<>();
		Map<String, Type> fields = fields(type);
		if (!Set.copyOf(json.propertyNames()).equals(fields.keySet())) {
			differences.add("%s has %s where the answer has %s".formatted(path, json.propertyNames(), fields.keySet()));
		}
		fields.forEach((name, field) -> {
			JsonNode value = json.path(name);
			Class<?> element = element(field);
			List<JsonNode> values = value.isArray() ? new ArrayList<>(value.values()) : List.of(value);
			for (JsonNode single : values) {
				if (element.isRecord() && single.isObject()) {
					differences.addAll(differences(path + "." + name, single, element));
				}
				else if (!single.isMissingNode() && !single.isNull() && !fits(single, element)) {
					differences.add("%s.%s is no %s: %s".formatted(path, name, element.getSimpleName(), single));
				}
			}
		});
		return differences;
	}

	private static boolean fits(JsonNode value, Class<?> type) {
		if (type == boolean.class) {
			return value.isBoolean();
		}
		return (type == long.class || type == int.class) ? value.isIntegralNumber()
				: !type.isRecord() && value.isString();
	}

	private static Map<String, Type> fields(Class<?> type) {
		Map<String, Type> fields = new LinkedHashMap<>();
		if (type.isRecord()) {
			Arrays.stream(type.getRecordComponents())
				.forEach((component) -> fields.put(component.getName(), component.getGenericType()));
		}
		return fields;
	}

	private static Class<?> element(Type type) {
		Type element = (type instanceof ParameterizedType list) ? list.getActualTypeArguments()[0] : type;
		return (Class<?>) element;
	}

}
