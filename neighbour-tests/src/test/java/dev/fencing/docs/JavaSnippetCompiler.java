package dev.fencing.docs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.Diagnostic.Kind;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;

/**
 * Compiles snippets, and writes nothing. What a snippet is part of is what makes it
 * parse.
 */
final class JavaSnippetCompiler {

	private static final List<String> OPTIONS = List.of("--release", "17", "-parameters", "-proc:none",
			"-Xlint:deprecation,removal,unchecked,rawtypes");

	private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

	private final StandardJavaFileManager files = this.compiler.getStandardFileManager(null, Locale.ROOT,
			StandardCharsets.UTF_8);

	JavaSnippetCompiler() {
		// Surefire's own holds a single jar that names the others
		String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
		try {
			this.files.setLocation(StandardLocation.CLASS_PATH,
					Stream.of(classPath.split(File.pathSeparator)).map(File::new).toList());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Compile a snippet.
	 * @return what the compiler has to say against it, with the lines of the document
	 */
	List<String> compile(Snippet snippet) {
		List<String> problems = List.of();
		for (JavaWrapping wrapping : JavaWrapping.values()) {
			if (wrapping == JavaWrapping.COMPILATION_UNIT && !snippet.text().contains("package ")) {
				continue;
			}
			String source = wrapping.wrap(snippet.text());
			List<CompilationUnitTree> units = new ArrayList<>();
			List<String> parsed = run(snippet, "Snippet", source, (task) -> task.parse().forEach(units::add));
			if (parsed.isEmpty()) {
				return run(snippet, name(units), source, JavacTask::analyze);
			}
			// Those of the last try are those of statements
			problems = parsed;
		}
		return problems;
	}

	private List<String> run(Snippet snippet, String name, String source, Work work) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) this.compiler.getTask(null, this.files, diagnostics, OPTIONS, null,
				List.of(new Source(name, source)));
		try {
			work.run(task);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return diagnostics.getDiagnostics()
			.stream()
			.filter((diagnostic) -> diagnostic.getKind() != Kind.NOTE)
			.map((diagnostic) -> describe(snippet, diagnostic))
			.toList();
	}

	private static String describe(Snippet snippet, Diagnostic<? extends JavaFileObject> diagnostic) {
		int line = (int) diagnostic.getLineNumber() - 1;
		return "%s: %s".formatted(snippet.place(Math.max(line, 0)), diagnostic.getMessage(Locale.ROOT));
	}

	/**
	 * A public type wants a file of its name.
	 */
	private static String name(List<CompilationUnitTree> units) {
		return units.stream()
			.flatMap((unit) -> unit.getTypeDecls().stream())
			.filter(ClassTree.class::isInstance)
			.map(ClassTree.class::cast)
			.filter((type) -> type.getModifiers().getFlags().contains(Modifier.PUBLIC))
			.map((type) -> type.getSimpleName().toString())
			.findFirst()
			.orElse("Snippet");
	}

	/**
	 * What is asked of the compiler.
	 */
	@FunctionalInterface
	private interface Work {

		void run(JavacTask task) throws IOException;

	}

	/**
	 * A source in memory.
	 */
	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String name, String text) {
			super(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
