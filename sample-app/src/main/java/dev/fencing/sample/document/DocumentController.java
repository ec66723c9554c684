package dev.fencing.sample.document;

import java.net.URI;
import java.util.List;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The documents over HTTP.
 */
@RestController
@RequestMapping("/api/documents")
class DocumentController {

	private final DocumentService documents;

	DocumentController(DocumentService documents) {
		this.documents = documents;
	}

	@PostMapping
	ResponseEntity<Document> create(@RequestBody TitleRequest request) {
		Document document = this.documents.create(request.validTitle());
		return ResponseEntity.created(URI.create("/api/documents/" + document.id())).body(document);
	}

	@GetMapping
	List<Document> list() {
		return this.documents.list();
	}

	@GetMapping("/{id}")
	Document get(@PathVariable long id) {
		return this.documents.get(id);
	}

	@PutMapping("/{id}")
	Document rename(@PathVariable long id, @RequestBody TitleRequest request) {
		String title = request.validTitle();
		// An unknown id must not leave a resource behind in the registry. Nothing that is
		// read here is used under the lease
		this.documents.get(id);
		return this.documents.rename(id, title);
	}

}
