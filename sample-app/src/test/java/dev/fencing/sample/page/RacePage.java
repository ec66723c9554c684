package dev.fencing.sample.page;

import java.time.Duration;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

import static org.awaitility.Awaitility.await;

/**
 * The page as people use it.
 */
final class RacePage {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private static final Duration POLL = Duration.ofMillis(20);

	private final Browser browser;

	private final String url;

	RacePage(Browser browser, String url) {
		this.browser = browser;
		this.url = url;
	}

	/**
	 * Open the page, which runs both races by itself.
	 */
	void open() {
		this.browser.driver().get(this.url);
		awaitResult();
	}

	/**
	 * Open the page unless it is open.
	 */
	void show() {
		if (!this.url.equals(this.browser.driver().getCurrentUrl())) {
			open();
		}
	}

	void choose(String pause, String leaseTime, String pauseTime) {
		find("input[value=" + pause + "]").click();
		fill("leaseTime", leaseTime);
		fill("pauseTime", pauseTime);
	}

	void fill(String field, String text) {
		WebElement input = find("#" + field);
		input.clear();
		input.sendKeys(text);
	}

	void run() {
		int before = races().size();
		button().click();
		await().pollDelay(Duration.ZERO).pollInterval(POLL).atMost(LIMIT).until(() -> races().size() > before);
		awaitResult();
	}

	void awaitResult() {
		await().pollDelay(Duration.ZERO)
			.pollInterval(POLL)
			.atMost(LIMIT)
			.until(() -> "false".equals(find("#races").getDomAttribute("aria-busy")));
	}

	/**
	 * Open or close the tables.
	 */
	void showTables(boolean shown) {
		findAll(shown ? "details:not([open]) summary" : "details[open] summary").forEach(WebElement::click);
	}

	WebElement button() {
		return find("#run");
	}

	String error() {
		return find("#error").getText();
	}

	RaceSection unfenced() {
		return new RaceSection(this.browser, find("#unfenced"));
	}

	RaceSection fenced() {
		return new RaceSection(this.browser, find("#fenced"));
	}

	WebElement find(String selector) {
		return this.browser.driver().findElement(By.cssSelector(selector));
	}

	List<WebElement> findAll(String selector) {
		return this.browser.driver().findElements(By.cssSelector(selector));
	}

	/**
	 * Return what the application answered to the last unfenced and to the last fenced
	 * race, as JSON.
	 */
	List<String> answers() {
		List<Browser.Request> races = races();
		return races.subList(races.size() - 2, races.size()).stream().map(this.browser::answerTo).toList();
	}

	private List<Browser.Request> races() {
		return this.browser.requests().stream().filter((request) -> request.url().endsWith("/api/races")).toList();
	}

	/**
	 * Return the endpoint's JSON as it stands on the page.
	 */
	String report() {
		return String.valueOf(find("#report").getDomProperty("textContent"));
	}

	/**
	 * One of the two races.
	 */
	record RaceSection(Browser browser, WebElement element) {

		String verdict() {
			return find(".verdict").getText();
		}

		String outcome() {
			return String.valueOf(this.element.getDomAttribute("data-outcome"));
		}

		WebElement picture() {
			return find("svg");
		}

		int count(String selector) {
			return this.element.findElements(By.cssSelector(selector)).size();
		}

		/**
		 * Return the text of the picture, without the tooltips.
		 */
		List<String> labels() {
			return this.browser.list("""
					const [race] = arguments;
					race.querySelectorAll('svg text title').forEach(title => title.remove());
					return [...race.querySelectorAll('svg text')].map(text => text.textContent)""", this.element);
		}

		String title() {
			return String.valueOf(find("caption").getDomProperty("textContent"));
		}

		/**
		 * Return the table of the events, its cells separated by a bar.
		 */
		List<String> table() {
			return this.browser.list("""
					return [...arguments[0].querySelectorAll('tbody tr')]
						.map(row => [...row.cells].map(cell => cell.textContent).join('|'))""", this.element);
		}

		private WebElement find(String selector) {
			return this.element.findElement(By.cssSelector(selector));
		}

	}

	/**
	 * Return a part of JSON as text.
	 */
	static String part(String json, String path) {
		return String.valueOf(JsonPath.<Object>read(json, path));
	}

}
