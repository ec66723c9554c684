package dev.fencing.sample.page;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import com.jayway.jsonpath.JsonPath;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import dev.fencing.sample.SampleTest;
import dev.fencing.sample.page.RacePage.RaceSection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the page that shows the races, in a browser. Pictures of it are kept in
 * {@code target/screenshots}.
 */
@SampleTest
@Timeout(60)
class RacePageTests {

	private static final Path SCREENSHOTS = Path.of("target", "screenshots");

	private static final Path README_PICTURE = Path.of("..", "docs", "images", "races.png");

	private static final List<String> PAUSES = List.of("beforeRead", "beforeWrite", "beforeCommit");

	private static @Nullable Browser started;

	private Browser browser;

	private RacePage page;

	private RestTestClient client;

	private String url;

	@AfterAll
	static void closeBrowser() {
		if (started != null) {
			started.close();
		}
	}

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.url = "http://localhost:" + port + "/";
		this.client = RestTestClient.bindToServer().baseUrl(this.url).build();
		started = (started != null) ? started : Browser.start();
		this.browser = started;
		this.browser.size(1280, 900);
		this.browser.prefer("prefers-color-scheme", "light");
		this.page = new RacePage(this.browser, this.url);
	}

	@AfterEach
	void nothingIsWrongAndNothingComesFromElsewhere() {
		if (started == null) {
			return;
		}
		assertThat(this.browser.complaints()).isEmpty();
		assertThat(this.browser.requests()).isNotEmpty()
			.extracting(Browser.Request::url)
			.allSatisfy((loaded) -> assertThat(loaded).startsWith("http://localhost:"));
	}

	@Test
	void bothRacesRunWhenThePageIsOpened() throws IOException {
		this.page.open();
		assertThat(this.page.unfenced().verdict()).isEqualTo("B's update is lost");
		assertThat(this.page.fenced().verdict()).isEqualTo("A was refused, nothing is lost");
		assertThat(this.page.findAll("svg")).hasSize(2);
		await().until(() -> this.page.findAll("#report mark").size() == 1);
		this.browser.screenshot(SCREENSHOTS.resolve("opened.png"));
		if (Boolean.getBoolean("fencing.docs.write")) {
			// What is slow only once is not for the picture
			this.page.run();
			this.browser.screenshot(README_PICTURE);
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			beforeRead   | Nothing is lost, by luck | luck
			beforeWrite  | B's update is lost       | lost
			beforeCommit | A's update is lost       | lost
			""")
	void pictureShowsWhoLostAndWhoWasRefused(String pause, String verdict, String outcome) throws IOException {
		this.page.show();
		this.page.choose(pause, "200ms", "300ms");
		this.page.run();
		RaceSection unfenced = this.page.unfenced();
		assertThat(unfenced.verdict()).isEqualTo(verdict);
		assertThat(unfenced.outcome()).isEqualTo(outcome);
		assertThat(unfenced.count(".mark-rejected")).isZero();
		assertThat(unfenced.count(".mark-committed")).isEqualTo(2);
		assertThat(unfenced.count(".loses")).isEqualTo(outcome.equals("lost") ? 1 : 0);
		assertThat(unfenced.labels()).contains("lease over", "no lease").doesNotContain("is refused");
		RaceSection fenced = this.page.fenced();
		assertThat(fenced.verdict()).isEqualTo("A was refused, nothing is lost");
		assertThat(fenced.outcome()).isEqualTo("kept");
		assertThat(fenced.count(".mark-rejected")).isOne();
		assertThat(fenced.count(".mark-committed")).isOne();
		assertThat(fenced.count(".loses")).isZero();
		assertThat(fenced.labels()).contains("lease over", "is refused").doesNotContain("no lease");
		this.browser.screenshot(SCREENSHOTS.resolve("light-" + pause + ".png"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "beforeRead", "beforeWrite", "beforeCommit" })
	void numbersAreThoseOfTheApiAndOfTheEndpoint(String pause) {
		this.page.show();
		this.page.choose(pause, "200ms", "300ms");
		this.page.run();
		List<String> answers = this.page.answers();
		assertShows(this.page.unfenced(), answers.get(0));
		assertShows(this.page.fenced(), answers.get(1));
		await()
			.untilAsserted(() -> assertThat(this.page.report()).contains(RacePage.part(answers.get(1), "$.resource")));
		String report = get("/actuator/fencing");
		assertThat(JsonPath.<Object>read(this.page.report(), "$")).isEqualTo(JsonPath.read(report, "$"));
		assertThat(this.page.find("#total").getText()).isEqualTo(RacePage.part(report, "$.rejections.total"));
		assertThat(this.page.find("#held").getText()).isEqualTo(RacePage.part(report, "$.leases.length()"));
		String newest = String.valueOf(this.page.find("#report mark").getDomProperty("textContent"));
		String rejection = "$.events[?(@.event == 'rejected')]";
		for (String token : List.of("token", "acceptedToken")) {
			assertThat(newest).contains(JsonPath.<List<String>>read(answers.get(1), rejection + "." + token).get(0));
		}
	}

	/**
	 * The table has all numbers, the picture the last digits of the tokens.
	 */
	private void assertShows(RaceSection section, String answer) {
		List<Map<String, String>> events = JsonPath.read(answer, "$.events");
		Instant start = Instant.parse(events.get(0).get("at"));
		List<String> table = section.table();
		assertThat(table).hasSameSizeAs(events);
		String labels = String.join("\n", section.labels());
		for (int i = 0; i < events.size(); i++) {
			Map<String, String> event = events.get(i);
			List<String> row = List.of(table.get(i).split("\\|", -1));
			long offset = Math.round(Duration.between(start, Instant.parse(event.get("at"))).toNanos() / 1e6);
			assertThat(Long.parseLong(row.get(0).replace(" ms", ""))).isBetween(offset - 1, offset + 1);
			assertThat(row.get(1)).isEqualTo(event.get("worker"));
			assertThat(row.get(3)).isEqualTo(Objects.requireNonNullElse(event.get("title"), ""));
			assertThat(row.get(4)).isEqualTo(format(event.get("token")));
			if (event.get("token") != null) {
				String token = format(event.get("token"));
				assertThat(labels).containsPattern("…\\d*" + token.substring(token.length() - "1234.0".length()));
			}
			if (event.get("acceptedToken") != null) {
				assertThat(row.get(2)).contains(format(event.get("acceptedToken")), event.get("guard"),
						event.get("reason"));
			}
		}
		assertThat(section.title()).isEqualTo("%s was “%s” and is “%s”; refused: %s".formatted(
				RacePage.part(answer, "$.resource"), RacePage.part(answer, "$.initialTitle"),
				RacePage.part(answer, "$.finalTitle"), RacePage.part(answer, "$.rejected")));
		String document = get("/api/documents/" + RacePage.part(answer, "$.resource").replace("document:", ""));
		assertThat(RacePage.part(document, "$.title")).isEqualTo(RacePage.part(answer, "$.finalTitle"));
	}

	private static String format(@Nullable String token) {
		if (token == null) {
			return "";
		}
		BigInteger[] parts = new BigInteger(token).divideAndRemainder(BigInteger.valueOf(1_000_000));
		return parts[0] + "." + parts[1];
	}

	@Test
	void ownerThatIsBackInTimeLosesNothing() throws IOException {
		this.page.show();
		this.page.choose("beforeWrite", "1s", "300ms");
		this.page.run();
		for (RaceSection race : List.of(this.page.unfenced(), this.page.fenced())) {
			assertThat(race.verdict()).isEqualTo("A was in time, nothing is lost");
			assertThat(race.outcome()).isEqualTo("kept");
			assertThat(race.count("rect.over")).isZero();
			assertThat(race.count(".mark-committed")).isEqualTo(2);
			assertThat(race.labels()).contains("waits for the lease", "draft +A +B").doesNotContain("lease over");
		}
		this.browser.screenshot(SCREENSHOTS.resolve("in-time.png"));
	}

	@Test
	void unusableInputIsExplained() {
		this.page.show();
		String before = this.page.fenced().title();
		this.page.choose("beforeWrite", "300ms", "soon");
		this.page.run();
		assertThat(this.page.error()).isEqualTo("'pauseTime' is not usable: write a time as 500ms, 2s or PT0.5S");
		WebElement field = this.page.find("#pauseTime");
		assertThat(field.getDomAttribute("aria-invalid")).isEqualTo("true");
		assertThat(field.getDomAttribute("aria-describedby")).isEqualTo("error");
		assertThat(this.browser.driver().switchTo().activeElement()).isEqualTo(field);
		assertThat(this.page.fenced().title()).isEqualTo(before);
		assertThat(this.browser.complaints()).singleElement().asString().contains("/api/races", "400");
		this.page.fill("pauseTime", "400ms");
		this.page.run();
		assertThat(this.page.error()).isEmpty();
		assertThat(field.getDomAttribute("aria-invalid")).isNull();
		assertThat(this.page.fenced().title()).isNotEqualTo(before);
	}

	@Test
	void keyboardIsEnough() {
		this.page.open();
		type(Keys.TAB);
		assertFocus((element) -> "beforeWrite".equals(element.getDomAttribute("value")));
		type(Keys.ARROW_RIGHT);
		assertFocus((element) -> "beforeCommit".equals(element.getDomAttribute("value")));
		type(Keys.TAB);
		assertFocus((element) -> "leaseTime".equals(element.getDomAttribute("id")));
		replaceText("200ms");
		type(Keys.TAB);
		assertFocus((element) -> "pauseTime".equals(element.getDomAttribute("id")));
		replaceText("200ms");
		type(Keys.TAB);
		assertFocus((element) -> "run".equals(element.getDomAttribute("id")));
		String before = this.page.fenced().title();
		type(Keys.SPACE);
		await().until(() -> !this.page.fenced().title().equals(before));
		this.page.awaitResult();
		assertThat(this.page.unfenced().verdict()).isEqualTo("A's update is lost");
		assertFocus((element) -> "run".equals(element.getDomAttribute("id")));
		type(Keys.TAB);
		assertFocus((element) -> "summary".equals(element.getTagName()));
		type(Keys.ENTER);
		assertThat(this.page.find("#unfenced table").isDisplayed()).isTrue();
		type(Keys.TAB);
		type(Keys.TAB);
		assertFocus((element) -> "a".equals(element.getTagName()));
		type(Keys.TAB);
		assertFocus((element) -> "report".equals(element.getDomAttribute("id")));
	}

	private void replaceText(String text) {
		new Actions(this.browser.driver()).keyDown(Keys.CONTROL).sendKeys("a").keyUp(Keys.CONTROL).perform();
		type(text);
	}

	private void type(CharSequence keys) {
		new Actions(this.browser.driver()).sendKeys(keys).perform();
	}

	private void assertFocus(Predicate<WebElement> expected) {
		assertThat(this.browser.driver().switchTo().activeElement()).matches(expected);
		assertThat(this.browser.script("""
				const element = document.activeElement;
				const shown = element.type === 'radio' ? element.nextElementSibling : element;
				return getComputedStyle(shown).outlineStyle""")).isEqualTo("solid");
	}

	@Test
	void partsHaveNamesAndRoles() {
		this.page.show();
		this.page.choose("beforeWrite", "200ms", "200ms");
		this.page.run();
		assertThat(this.page.findAll("input")).extracting(WebElement::getAccessibleName)
			.containsExactly("before its read", "between read and write", "between write and commit", "A’s lease lasts",
					"A freezes for");
		assertThat(this.page.find("fieldset").getAccessibleName()).isEqualTo("A freezes");
		assertThat(this.page.button().getAccessibleName()).isEqualTo("Run again");
		assertThat(this.page.findAll("section, aside")).extracting(WebElement::getAccessibleName)
			.containsExactly("Unfenced", "Fenced", "What operators see");
		assertThat(this.page.find("#report").getAriaRole()).isEqualTo("region");
		assertThat(this.page.find("#report").getAccessibleName()).isEqualTo("The answer of /actuator/fencing");
		assertThat(this.page.find("#error").getAriaRole()).isEqualTo("alert");
		assertThat(this.page.findAll("#status, .verdict")).extracting(WebElement::getAriaRole).containsOnly("status");
		assertThat(this.page.unfenced().picture().getAccessibleName()).startsWith("Unfenced race, as a time line.")
			.contains("A freezes.", "B commits: the document is now “draft +B”.", "A commits: ")
			.endsWith("B's update is lost.");
		assertThat(this.page.findAll("svg")).extracting(WebElement::getAriaRole).containsOnly("image");
		assertThat(this.page.fenced().picture().getAccessibleName()).contains("A is refused by the row guard (stale)")
			.endsWith("A was refused, nothing is lost.");
	}

	@Test
	void endpointIsFollowedWithoutAClick() {
		this.page.show();
		await().until(() -> this.page.find("#total").getText().matches("\\d+"));
		int before = Integer.parseInt(this.page.find("#total").getText());
		this.client.post()
			.uri("/api/races")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("leaseTime", "200ms"))
			.exchangeSuccessfully();
		await().untilAsserted(() -> assertThat(this.page.find("#total").getText()).isEqualTo("" + (before + 1)));
	}

	@Test
	void narrowScreenDoesNotScrollSideways() throws IOException {
		this.page.show();
		this.browser.size(390, 844);
		awaitDrawn();
		this.page.showTables(true);
		assertThat(this.browser.script("return document.documentElement.scrollWidth")).isEqualTo(390L);
		assertThat(this.page.unfenced().picture().getSize()).matches((size) -> size.getHeight() > size.getWidth(),
				"time runs down");
		this.page.showTables(false);
		screenshots("narrow");
	}

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void colorsCanBeTold(String scheme) throws IOException {
		this.browser.prefer("prefers-color-scheme", scheme);
		this.page.show();
		this.page.showTables(true);
		assertThat(this.browser.script("return matchMedia('(prefers-color-scheme: dark)').matches"))
			.isEqualTo(scheme.equals("dark"));
		double background = ((Number) this.browser.script(CONTRAST + "return luminance(background(document.body))"))
			.doubleValue();
		assertThat(background > 0.5).isEqualTo(scheme.equals("light"));
		assertThat(this.browser.list(CONTRAST + "return tooFaint()")).isEmpty();
		this.page.showTables(false);
		if (scheme.equals("dark")) {
			screenshots(scheme);
		}
	}

	/**
	 * What stands on what, and how well it can be told (WCAG 2, at least 4.5).
	 */
	private static final String CONTRAST = """
			function rgb(color) { return color.match(/[\\d.]+/g).map(Number); }
			function background(element) {
				for (let e = element; e; e = e.parentElement) {
					const color = rgb(getComputedStyle(e).backgroundColor);
					if (color.length < 4 || color[3] > 0) { return color; }
				}
				return [255, 255, 255];
			}
			function luminance(color) {
				const [r, g, b] = color.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
				return 0.2126 * r + 0.7152 * g + 0.0722 * b;
			}
			function contrast(one, other) {
				const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
				return (light + 0.05) / (dark + 0.05);
			}
			function beneath(text) {
				const group = text.closest('g.mark, g');
				const shape = group && group.querySelector('circle, rect');
				const strip = [...text.ownerSVGElement.querySelectorAll('.value-strip')].find(strip => {
					const a = strip.getBoundingClientRect(), b = text.getBoundingClientRect();
					return a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
				});
				const under = shape || strip || text.previousElementSibling?.matches('circle') && text.previousElementSibling;
				return under ? rgb(getComputedStyle(under).fill) : background(text.ownerSVGElement.parentElement);
			}
			function tooFaint() {
				const faint = [];
				const check = (text, color, under) => {
					if (contrast(rgb(color), under) < 4.5) { faint.push(`${text}: ${color} on ${under}`); }
				};
				for (const e of document.querySelectorAll('body *:not(svg):not(svg *)')) {
					const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || e.value;
					if (own && e.checkVisibility()) { check(e.textContent, getComputedStyle(e).color, background(e)); }
				}
				for (const e of document.querySelectorAll('svg text, svg tspan')) {
					const text = e.closest('text');
					if (e.textContent.trim() && !(e === text && e.querySelector('tspan'))) {
						check(e.textContent, getComputedStyle(e).fill, beneath(text));
					}
				}
				return faint;
			}
			""";

	/**
	 * What happened is real. When it happened is told by the test, since a real race is
	 * never as quick, or as slow, as the picture must bear.
	 */
	@ParameterizedTest
	@CsvSource({ "beforeRead, 200ms, 200ms", "beforeWrite, 200ms, 200ms", "beforeCommit, 200ms, 200ms",
			"beforeWrite, 500ms, 20ms" })
	void labelsDoNotOverlap(String pause, String leaseTime, String pauseTime) {
		this.page.show();
		this.page.choose(pause, leaseTime, pauseTime);
		this.page.run();
		List<String> answers = this.page.answers();
		for (int width : new int[] { 1440, 1260, 1259, 768, 700, 390, 320 }) {
			this.browser.size(width, 900);
			awaitDrawn();
			assertThat(overlaps()).as("%d pixels", width).isEmpty();
			for (String slow : List.of("nothing", "leaseExpired", "acquired", "resumed", "committed")) {
				drawAsIf(answers, slow);
				assertThat(overlaps()).as("%d pixels, only %s takes its time", width, slow).isEmpty();
			}
		}
	}

	private void drawAsIf(List<String> answers, String slow) {
		this.browser.asyncScript("""
				const [answers, slow, done] = arguments;
				import('/picture.js').then(({ drawRaces }) => {
					const races = answers.map(answer => JSON.parse(answer));
					for (const race of races) {
						let time = 0;
						for (const event of race.events) {
							time += event.event === slow && time === 0 ? 12345 : 0;
							event.at = new Date(time).toISOString();
						}
					}
					drawRaces(races, [...document.querySelectorAll('.picture')]);
					done();
				});""", answers, slow);
	}

	private void awaitDrawn() {
		await().pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(10))
			.until(() -> this.browser.script("""
					return [...document.querySelectorAll('svg')]
						.every(svg => svg.getAttribute('width') === String(svg.parentElement.clientWidth))"""),
					Boolean.TRUE::equals);
	}

	private List<String> overlaps() {
		return this.browser.list("""
				const found = [];
				for (const svg of document.querySelectorAll('svg')) {
					const outer = svg.getBoundingClientRect();
					const texts = [...svg.querySelectorAll('text:not(.mark *)'), ...svg.querySelectorAll('.mark')];
					const boxes = texts.map(text => {
						// The ascent and descent of a line are not all ink
						const air = text.matches('text') ? 2 : 0;
						const b = text.getBoundingClientRect();
						return { left: b.left, right: b.right, top: b.top + air, bottom: b.bottom - air };
					});
					boxes.forEach((a, i) => {
						if (a.left < outer.left - 1 || a.right > outer.right + 1) {
							found.push(texts[i].textContent + ' is cut off');
						}
						boxes.slice(i + 1).forEach((b, j) => {
							if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) {
								found.push(texts[i].textContent + ' and ' + texts[i + 1 + j].textContent);
							}
						});
					});
				}
				return found""");
	}

	private void screenshots(String name) throws IOException {
		for (String pause : PAUSES) {
			this.page.choose(pause, "200ms", "300ms");
			this.page.run();
			this.browser.screenshot(SCREENSHOTS.resolve(name + "-" + pause + ".png"));
		}
	}

	private String get(String path) {
		return Objects.requireNonNull(this.client.get()
			.uri(path)
			.exchangeSuccessfully()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

}
