package dev.fencing.benchmark.startup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.fencing.benchmark.BenchCase;
import dev.fencing.benchmark.Scale;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts the application in each of its variants. It measures nothing.
 */
@Tag("smoke")
class StartupBenchTests {

	@TempDir
	private Path folder;

	@BeforeAll
	static void createTables() throws Exception {
		StartupDatabase.create();
	}

	@Test
	void withoutTheStarterNothingOfItIsLoaded() throws Exception {
		List<String> classes = classes(StartupVariant.WITHOUT);
		assertThat(classes).anyMatch((name) -> name.startsWith(Documents.class.getName()))
			.noneMatch(StartupBenchTests::isOfTheStarter)
			.noneMatch(StartupBenchTests::isOfOtherLocks);
	}

	@Test
	void withTheStarterItIsLoadedAndNothingOfOtherLocks() throws Exception {
		List<String> classes = classes(StartupVariant.LOCKED);
		assertThat(classes).anyMatch((name) -> name.startsWith(LockedDocuments.class.getName()))
			.anyMatch(StartupBenchTests::isOfTheStarter)
			.noneMatch(StartupBenchTests::isOfOtherLocks);
	}

	@Test
	void eachCaseTellsWhatAStartCosts() throws Exception {
		List<BenchCase> cases = new StartupBench().cases(new Scale(1, true));
		assertThat(cases).hasSize(StartupVariant.values().length * StartupSetting.values().length);
		Map<String, Double> values = cases.get(0).measurement().measure();
		assertThat(values).containsOnlyKeys(StartupReport.READY, StartupReport.SPRING, StartupReport.PROCESSOR,
				StartupReport.MEMORY, StartupReport.HEAP, StartupReport.NON_HEAP, StartupReport.CLASSES,
				StartupReport.THREADS);
		assertThat(values.values()).allSatisfy((value) -> assertThat(value).isPositive());
	}

	/**
	 * Start the application and return the names of the classes that it has loaded.
	 */
	private List<String> classes(StartupVariant variant) throws Exception {
		Path log = this.folder.resolve("classes.txt");
		Map<String, Double> values = StartupProcess.run(variant, StartupSetting.CONNECTED,
				"-Xlog:class+load:file=" + log + ":none");
		assertThat(values).containsEntry(StartupReport.LOCKED_BEANS, (double) variant.lockedBeans());
		return Files.readAllLines(log);
	}

	private static boolean isOfTheStarter(String name) {
		return name.startsWith("dev.fencing.") && !name.startsWith("dev.fencing.benchmark.");
	}

	private static boolean isOfOtherLocks(String name) {
		return name.startsWith("org.redisson.") || name.startsWith("org.springframework.integration.")
				|| name.startsWith("net.javacrumbs.");
	}

}
