package dev.fencing.compat;

import java.util.concurrent.atomic.AtomicReference;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.fencing.StaleGenerationException;

/**
 * Renames documents on the threads of the web server.
 */
@RestController
class DocumentController {

	private final Documents documents;

	private final BeforeWrite beforeWrite;

	DocumentController(Documents documents, BeforeWrite beforeWrite) {
		this.documents = documents;
		this.beforeWrite = beforeWrite;
	}

	/**
	 * Rename a document.
	 * @return the kind of the thread that ran the locked method and what became of it, as
	 * in {@code platform renamed}
	 */
	@PostMapping("/documents/{id}")
	String rename(@PathVariable("id") long id, @RequestParam("title") String title,
			@RequestParam("plainly") boolean plainly) {
		AtomicReference<String> kind = new AtomicReference<>("no");
		Runnable underTheLease = () -> {
			kind.set(isVirtual(Thread.currentThread()) ? "virtual" : "platform");
			this.beforeWrite.run();
		};
		try {
			if (plainly) {
				this.documents.renamePlainly(id, title, underTheLease);
			}
			else {
				this.documents.rename(id, title, underTheLease);
			}
			return kind.get() + " renamed";
		}
		catch (StaleGenerationException ex) {
			return kind.get() + " refused";
		}
	}

	// Asked for by name: this is compiled for JDK 17
	private static boolean isVirtual(Thread thread) {
		return ClassUtils.hasMethod(Thread.class, "isVirtual") && Boolean.TRUE
			.equals(ReflectionUtils.invokeMethod(ClassUtils.getMethod(Thread.class, "isVirtual"), thread));
	}

}
