package dev.fencing.testsupport;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

/**
 * Processes application contexts as a build of a native image does.
 */
public final class AheadOfTime {

	private AheadOfTime() {
	}

	/**
	 * Process a context that was not refreshed.
	 * @param context the context
	 * @return what the native image is told to keep
	 */
	public static RuntimeHints process(GenericApplicationContext context) {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("dev.fencing.generated", "Application")),
				new InMemoryGeneratedFiles());
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		generation.writeGeneratedContent();
		return generation.getRuntimeHints();
	}

}
