package dev.fencing.compat;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.TypeHint;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;
import org.springframework.transaction.annotation.EnableTransactionManagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What users read on every version when the application cannot start, and that it can be
 * processed ahead of time.
 */
@Tag("compat")
@ExtendWith(OutputCaptureExtension.class)
class StartupCompatTests {

	@Test
	void missingTableIsAnsweredWithItsScript(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(CompatApplication.class, "--fencing.provider=memory",
				"--fencing.jdbc.initialize-schema=never"));
		assertThat(output).contains("APPLICATION FAILED TO START", "FENCING_GENERATION, cannot be read",
				"CREATE TABLE FENCING_GENERATION (", "Or set fencing.jdbc.initialize-schema to always");
	}

	@Test
	void lockInsideTheTransactionIsAnsweredWithTheOrderToSet(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> start(TransactionsFirst.class, "--fencing.provider=memory", "--fencing.lock.order=1"));
		assertThat(output).contains("APPLICATION FAILED TO START", "dev.fencing.compat.Documents",
				"the lock would be inside the transaction, and released before the commit",
				"Set fencing.lock.order to less than the order of the transaction advisor");
	}

	@Test
	void missingRedisIsAnsweredWithWhatToAdd(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(CompatApplication.class,
				"--spring.autoconfigure.exclude=" + JdbcCompatTests.WITHOUT_JPA + ","
						+ "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration,"
						+ "org.springframework.boot.autoconfigure.data.redis.RedisRepositoriesAutoConfiguration,"
						+ "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration,"
						+ "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration"));
		assertThat(output).contains("APPLICATION FAILED TO START", "There is no RedisConnectionFactory",
				"set fencing.provider to memory in tests");
	}

	@Test
	void isProcessedAheadOfTime() {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("dev.fencing.generated", "Application")),
				new InMemoryGeneratedFiles());
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("test", Map.of("spring.threads.virtual.enabled", "false",
						"spring.autoconfigure.exclude", JdbcCompatTests.WITHOUT_JPA)));
			context.register(CompatApplication.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		TypeHint kept = generation.getRuntimeHints().reflection().getTypeHint(Documents.class);
		assertThat(kept).isNotNull();
		assertThat(kept.methods()).filteredOn((method) -> method.getName().equals("rename"))
			.singleElement()
			.satisfies((method) -> assertThat(method.getMode()).isEqualTo(ExecutableMode.INVOKE));
	}

	private static void start(Class<?> source, String... arguments) {
		SpringApplication application = new SpringApplication(source);
		application
			.setDefaultProperties(Map.of("spring.main.web-application-type", "none", "spring.autoconfigure.exclude",
					JdbcCompatTests.WITHOUT_JPA, "spring.datasource.generate-unique-name", "true"));
		application.run(arguments).close();
	}

	/**
	 * No component, so that only the one test has it.
	 */
	@EnableTransactionManagement(order = 0)
	static class TransactionsFirst extends CompatApplication {

	}

}
