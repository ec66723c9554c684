package dev.fencing.docs;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

import dev.fencing.actuate.FencingEndpoint;
import dev.fencing.docs.ShellSnippets.CommandRules;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests to the actuator of an application, or to the sample.
 */
final class CurlRules implements CommandRules {

	private static final String SAMPLE = "sample-app/src/main/java/dev/fencing/sample/race/";

	private static final Pattern NAME = Pattern.compile("[A-Za-z]\\w*");

	private final ConfigurationMetadata metadata = new ConfigurationMetadata();

	@Override
	public void check(String place, CommandLine command) {
		Request request = Request.of(place, command.pipeline().get(0));
		URI uri = URI.create(request.url);
		assertThat(uri.getAuthority()).as(place).isIn("app:8080", "localhost:8080");
		if (uri.getPath().equals("/actuator/fencing")) {
			checkEndpoint(place, request);
		}
		else if (uri.getPath().startsWith("/actuator/")) {
			String endpoint = uri.getPath().substring("/actuator/".length());
			assertThat(this.metadata.find("management.endpoint.%s.access".formatted(endpoint)))
				.as("%s: the endpoint '%s'", place, endpoint)
				.isPresent();
		}
		else {
			checkSample(place, uri, request);
		}
		command.pipeline().stream().skip(1).forEach((filter) -> checkFilter(place, filter));
	}

	private static void checkEndpoint(String place, Request request) {
		Class<? extends Annotation> operation = request.method.equals("DELETE") ? DeleteOperation.class
				: ReadOperation.class;
		Method method = Arrays.stream(FencingEndpoint.class.getDeclaredMethods())
			.filter((candidate) -> candidate.isAnnotationPresent(operation))
			.findFirst()
			.orElseThrow();
		assertThat(method.getParameters()).as("%s: parameters of the endpoint", place)
			.extracting(Parameter::getName)
			.containsAll(request.parameters);
	}

	/**
	 * The sample is no library: its sources tell what it takes.
	 */
	private static void checkSample(String place, URI uri, Request request) {
		assertThat(Project.read(SAMPLE + "RaceController.java")).as("%s: the address", place)
			.contains("@RequestMapping(\"%s\")".formatted(uri.getPath()), "@%sMapping"
				.formatted(request.method.charAt(0) + request.method.substring(1).toLowerCase(Locale.ROOT)));
		JsonNode body = JsonMapper.shared().readTree(request.body);
		String record = Project.read(SAMPLE + "RaceRequest.java");
		assertThat(body.propertyNames()).as("%s: what the sample takes", place)
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(record).containsPattern(" " + name + "[,)]"));
		assertThat(Project.read(SAMPLE + "PausePoint.java")).as("%s: the pause", place)
			.contains("(\"%s\"".formatted(body.path("pause").asString()));
	}

	private static void checkFilter(String place, List<String> filter) {
		assertThat(filter.get(0)).as("%s: what filters the answer", place).isEqualTo("jq");
		Set<String> names = NAME.matcher(filter.get(1))
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(ReportFields.names()).as("%s: fields of the answer", place).containsAll(names);
	}

	/**
	 * What is asked for.
	 */
	private static final class Request {

		private String url = "";

		private String method = "GET";

		private String body = "";

		private final Set<String> parameters = new TreeSet<>();

		static Request of(String place, List<String> words) {
			Request request = new Request();
			Deque<String> arguments = new ArrayDeque<>(words);
			arguments.pop();
			while (!arguments.isEmpty()) {
				String argument = arguments.pop();
				switch (argument) {
					case "-s", "-G", "-sG" -> {
					}
					case "-X" -> request.method = arguments.pop();
					case "-H" -> assertThat(arguments.pop()).as(place).isEqualTo("Content-Type: application/json");
					case "-d" -> request.body = arguments.pop();
					case "--data-urlencode" -> request.parameters.add(arguments.pop().split("=", 2)[0]);
					default -> {
						assertThat(argument).as("%s: the address", place).startsWith("http://");
						request.url = argument;
					}
				}
			}
			return request;
		}

	}

}
