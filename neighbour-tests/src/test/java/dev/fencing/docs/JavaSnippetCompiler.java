package dev.fencing.docs;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
	 * Compile snippets: all together, since most of the time goes into the class path.
	 * @return what the compiler has to say against each of them, with the lines of the
	 * document
	 */
	Map<Snippet, List<String>> compile(List<Snippet> snippets) {
		Map<Snippet, List<String>> problems = new HashMap<>();
		List<Source> sources = new ArrayList<>();
		for (Snippet snippet : snippets) {
			List<String> unparsed = parse(snippet, "dev.fencing.docs.snippet" + snippets.indexOf(snippet), sources);
			problems.put(snippet, new ArrayList<>(unparsed));
		}
		run(sources, JavacTask::analyze)
			.forEach((snippet, found) -> problems.getOrDefault(snippet, new ArrayList<>()).addAll(found));
		return problems;
	}

	/**
	 * Add a snippet to the sources if it is one.
	 * @return what the compiler has to say against it otherwise
	 */
	private List<String> parse(Snippet snippet, String packageName, List<Source> sources) {
		List<String> problems = List.of();
		for (JavaWrapping wrapping : JavaWrapping.values()) {
			if (wrapping == JavaWrapping.COMPILATION_UNIT && !snippet.text().contains("package ")) {
				continue;
			}
			String text = wrapping.wrap(packageName, snippet.text());
			List<CompilationUnitTree> units = new ArrayList<>();
			// Those of the last try are those of statements
			problems = run(List.of(new Source(snippet, packageName, "Snippet", text)),
					(task) -> task.parse().forEach(units::add))
				.getOrDefault(snippet, List.of());
			if (problems.isEmpty()) {
				sources.add(new Source(snippet, packageName, name(units), text));
				break;
			}
		}
		return problems;
	}

	private Map<Snippet, List<String>> run(List<Source> sources, Work work) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) this.compiler.getTask(null, this.files, diagnostics, OPTIONS, null, sources);
		try {
			work.run(task);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Map<Snippet, List<String>> problems = new HashMap<>();
		for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
			if (diagnostic.getKind() != Kind.NOTE) {
				if (!(diagnostic.getSource() instanceof Source source)) {
					throw new IllegalStateException(diagnostic.toString());
				}
				problems.computeIfAbsent(source.snippet, (key) -> new ArrayList<>())
					.add(describe(source.snippet, diagnostic));
			}
		}
		return problems;
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

		private final Snippet snippet;

		private final String text;

		Source(Snippet snippet, String packageName, String name, String text) {
			super(URI.create("string:///%s/%s.java".formatted(packageName.replace('.', '/'), name)),
					JavaFileObject.Kind.SOURCE);
			this.snippet = snippet;
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

}
