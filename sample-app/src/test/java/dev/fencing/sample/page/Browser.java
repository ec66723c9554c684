package dev.fencing.sample.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.jayway.jsonpath.JsonPath;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

import static org.awaitility.Awaitility.await;

/**
 * The Chromium that is installed, without a window. Nothing is downloaded: where it is
 * missing, the calling test is skipped, but in CI it fails. It remembers what it was
 * asked to load and what it complained about.
 */
final class Browser implements AutoCloseable {

	private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

	private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

	private static final String MISSING = "Chromium is not installed (on Debian: the packages chromium and chromium-driver)";

	private final ChromeDriver driver;

	private final List<Request> requests = new ArrayList<>();

	private Browser(ChromeDriver driver) {
		this.driver = driver;
	}

	static Browser start() {
		boolean installed = Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
		if (System.getenv("CI") != null && !installed) {
			throw new IllegalStateException(MISSING + ": in CI no test is skipped");
		}
		Assumptions.assumeTrue(installed, MISSING);
		ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile())
			.usingAnyFreePort()
			.build();
		return new Browser(new ChromeDriver(service, options()));
	}

	private static ChromeOptions options() {
		ChromeOptions options = new ChromeOptions();
		options.setBinary(CHROMIUM.toFile());
		options.addArguments("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars");
		if ("root".equals(System.getProperty("user.name"))) {
			options.addArguments("--no-sandbox");
		}
		options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL", LogType.PERFORMANCE, "ALL"));
		return options;
	}

	WebDriver driver() {
		return this.driver;
	}

	Object script(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	/**
	 * Run a script, whose last argument is to be called when it is done.
	 */
	void asyncScript(String script, Object... arguments) {
		this.driver.executeAsyncScript(script, arguments);
	}

	/**
	 * Return the texts that a script returns.
	 */
	List<String> list(String script, Object... arguments) {
		return ((List<?>) Objects.requireNonNull(script(script, arguments))).stream().map(String::valueOf).toList();
	}

	void size(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
	}

	/**
	 * Ask for what the user of a browser can prefer.
	 * @param feature as in {@code prefers-color-scheme}
	 */
	void prefer(String feature, String value) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", feature, "value", value))));
	}

	/**
	 * Save a picture of the whole page, once nothing on it moves.
	 */
	void screenshot(Path file) throws IOException {
		await().pollDelay(Duration.ZERO)
			.until(() -> script("return document.getAnimations().length === 0"), Boolean.TRUE::equals);
		Object height = script("return document.documentElement.scrollHeight");
		Object width = script("return innerWidth");
		Map<String, Object> answer = this.driver.executeCdpCommand("Page.captureScreenshot",
				Map.of("captureBeyondViewport", true, "clip",
						Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1)));
		Files.createDirectories(file.getParent());
		Files.write(file, Base64.getDecoder().decode(String.valueOf(answer.get("data"))));
	}

	/**
	 * Return what the browser has complained about since it was last asked.
	 */
	List<String> complaints() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> Set.of("WARNING", "SEVERE").contains(entry.getLevel().getName()))
			.map(LogEntry::getMessage)
			.toList();
	}

	/**
	 * Return all that was loaded since the browser was started, in order.
	 */
	List<Request> requests() {
		for (LogEntry entry : this.driver.manage().logs().get(LogType.PERFORMANCE)) {
			Map<String, Object> message = JsonPath.read(entry.getMessage(), "$.message");
			if ("Network.requestWillBeSent".equals(message.get("method"))) {
				this.requests.add(new Request(JsonPath.read(message, "$.params.requestId"),
						JsonPath.read(message, "$.params.request.url")));
			}
		}
		return List.copyOf(this.requests);
	}

	/**
	 * Return the text that came back.
	 */
	String answerTo(Request request) {
		return String
			.valueOf(this.driver.executeCdpCommand("Network.getResponseBody", Map.of("requestId", request.id()))
				.get("body"));
	}

	@Override
	public void close() {
		this.driver.quit();
	}

	record Request(String id, String url) {

	}

}
