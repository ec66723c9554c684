package dev.fencing.sample.operations;

import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard for Grafana.
 */
final class Dashboard {

	private final JsonNode json = JsonMapper.shared().readTree(Documents.read(Documents.DASHBOARD));

	JsonNode json() {
		return this.json;
	}

	/**
	 * Return all panels, also the rows.
	 */
	List<JsonNode> elements() {
		List<JsonNode> elements = new ArrayList<>();
		for (JsonNode element : this.json.path("panels")) {
			elements.add(element);
			element.path("panels").forEach(elements::add);
		}
		return elements;
	}

	/**
	 * Return the panels that show something.
	 */
	List<Panel> panels() {
		return elements().stream().filter((element) -> !isRow(element)).map(Panel::new).toList();
	}

	static boolean isRow(JsonNode element) {
		return element.path("type").asString().equals("row");
	}

	List<Variable> variables() {
		List<Variable> variables = new ArrayList<>();
		this.json.path("templating").path("list").forEach((variable) -> variables.add(new Variable(variable)));
		return variables;
	}

	/**
	 * A panel.
	 */
	record Panel(JsonNode json) {

		String title() {
			return this.json.path("title").asString();
		}

		List<Target> targets() {
			List<Target> targets = new ArrayList<>();
			this.json.path("targets").forEach((target) -> targets.add(new Target(target)));
			return targets;
		}

		@Override
		public String toString() {
			return title();
		}

	}

	/**
	 * What a panel asks for.
	 */
	record Target(JsonNode json) {

		String expression() {
			return this.json.path("expr").asString();
		}

		boolean isInstant() {
			return this.json.path("instant").asBoolean();
		}

		@Override
		public String toString() {
			return expression();
		}

	}

	/**
	 * What the reader may choose.
	 */
	record Variable(JsonNode json) {

		private static final String PREFIX = "label_values(";

		String name() {
			return this.json.path("name").asString();
		}

		boolean isQuery() {
			return this.json.path("type").asString().equals("query");
		}

		/**
		 * Return of which series the label is listed.
		 */
		String series() {
			String definition = definition();
			return definition.substring(PREFIX.length(), definition.lastIndexOf(", "));
		}

		/**
		 * Return the label whose values are listed.
		 */
		String label() {
			String definition = definition();
			return definition.substring(definition.lastIndexOf(", ") + 2, definition.length() - 1);
		}

		private String definition() {
			String definition = this.json.path("definition").asString();
			if (!definition.startsWith(PREFIX)
					|| !definition.equals(this.json.path("query").path("query").asString())) {
				throw new IllegalStateException("Not a list of values: " + this.json);
			}
			return definition;
		}

		/**
		 * Return what stands for all values.
		 */
		String all() {
			return this.json.path("allValue").asString();
		}

	}

}
