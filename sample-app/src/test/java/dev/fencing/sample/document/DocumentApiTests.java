package dev.fencing.sample.document;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the documents over HTTP.
 */
@SampleTest
class DocumentApiTests {

	@Autowired
	private FencedLockTemplate locks;

	private RestTestClient client;

	@BeforeEach
	void setUp(@LocalServerPort int port) {
		this.client = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
	}

	@Test
	void createdDocumentIsFoundWhereTheAnswerSays() {
		ResponseSpec response = post(Map.of("title", "first")).expectStatus().isCreated();
		Document created = document(response);
		assertThat(created.title()).isEqualTo("first");
		assertThat(created.fencingToken()).isZero();
		response.expectHeader().location("/api/documents/" + created.id());
		assertThat(get(created.id())).isEqualTo(created);
	}

	@Test
	void listHoldsEveryDocumentInOrder() {
		Document one = create("one");
		Document two = create("two");
		List<Document> documents = this.client.get()
			.uri("/api/documents")
			.exchangeSuccessfully()
			.expectBody(new ParameterizedTypeReference<List<Document>>() {
			})
			.returnResult()
			.getResponseBody();
		assertThat(documents).containsSubsequence(one, two);
	}

	@Test
	void renameWritesTitleAndToken() {
		Document document = create("old");
		Document renamed = rename(document.id(), "new");
		assertThat(renamed.title()).isEqualTo("new");
		assertThat(renamed.fencingToken()).isPositive();
		assertThat(get(document.id())).isEqualTo(renamed);
		assertThat(rename(document.id(), "newer").fencingToken()).isGreaterThan(renamed.fencingToken());
	}

	@Test
	void tokensAreTextInJson() {
		Document document = rename(create("old").id(), "new");
		this.client.get()
			.uri("/api/documents/{id}", document.id())
			.exchange()
			.expectBody()
			.jsonPath("$.fencingToken")
			.isEqualTo(Long.toString(document.fencingToken()));
	}

	@Test
	void unknownDocumentIsNotFound() {
		expectProblem(this.client.get().uri("/api/documents/{id}", Long.MAX_VALUE).exchange(), HttpStatus.NOT_FOUND,
				"There is no document 9223372036854775807");
		expectProblem(put(Long.MAX_VALUE, Map.of("title", "new")), HttpStatus.NOT_FOUND,
				"There is no document 9223372036854775807");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "  ", "\t" })
	void blankTitleIsRefused(String title) {
		Document document = create("old");
		expectProblem(post(Map.of("title", title)), HttpStatus.BAD_REQUEST, "The title is missing or blank");
		expectProblem(put(document.id(), Map.of("title", title)), HttpStatus.BAD_REQUEST,
				"The title is missing or blank");
		assertThat(get(document.id())).isEqualTo(document);
	}

	@Test
	void missingTitleIsRefused() {
		expectProblem(post(Map.of()), HttpStatus.BAD_REQUEST, "The title is missing or blank");
	}

	@Test
	void titleThatTheDatabaseCannotHoldIsRefused() {
		expectProblem(post(Map.of("title", "a\u0000b")), HttpStatus.BAD_REQUEST, "The title holds a control character");
		expectProblem(post(Map.of("title", "x".repeat(201))), HttpStatus.BAD_REQUEST,
				"The title is longer than 200 characters");
		assertThat(create("\uD83D\uDE00".repeat(200)).title()).hasSize(400);
	}

	@Test
	void documentThatAnotherOwnerHasIsBusy() {
		Document document = create("old");
		this.locks.executeWithoutResult(LockRequest.of("document").key(document.id()), (context) -> {
			ResponseSpec response = put(document.id(), Map.of("title", "new"));
			response.expectHeader().exists(HttpHeaders.RETRY_AFTER);
			response.expectStatus().isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		});
		assertThat(get(document.id())).isEqualTo(document);
		assertThat(rename(document.id(), "new").title()).isEqualTo("new");
	}

	@Test
	void unreadableBodySaysWhatIsWrong() {
		expectProblem(post(Map.of("titel", "new")), HttpStatus.BAD_REQUEST,
				"'titel' is unknown or has an unusable value");
		ResponseSpec response = this.client.post()
			.uri("/api/documents")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{")
			.exchange();
		expectProblem(response, HttpStatus.BAD_REQUEST, "The body is missing or is not valid JSON");
	}

	@Test
	void idThatIsNoNumberIsRefused() {
		this.client.get()
			.uri("/api/documents/first")
			.exchange()
			.expectStatus()
			.isBadRequest()
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON);
	}

	private Document create(String title) {
		return document(post(Map.of("title", title)).expectStatus().isCreated());
	}

	private Document rename(long id, String title) {
		return document(put(id, Map.of("title", title)).expectStatus().isOk());
	}

	private Document get(long id) {
		return document(this.client.get().uri("/api/documents/{id}", id).exchange().expectStatus().isOk());
	}

	private ResponseSpec post(Map<String, String> body) {
		return this.client.post().uri("/api/documents").contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

	private ResponseSpec put(long id, Map<String, String> body) {
		return this.client.put()
			.uri("/api/documents/{id}", id)
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
			.exchange();
	}

	private static Document document(ResponseSpec response) {
		Document document = response.expectBody(Document.class).returnResult().getResponseBody();
		assertThat(document).isNotNull();
		return document;
	}

	private static void expectProblem(ResponseSpec response, HttpStatus status, String detail) {
		response.expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.contentType(MediaType.APPLICATION_PROBLEM_JSON)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo(detail);
	}

}
