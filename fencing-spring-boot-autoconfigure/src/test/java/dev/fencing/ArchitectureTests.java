package dev.fencing;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.fencing.lease.InMemoryLeaseProvider;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The arrows between packages point one way, and each library is known in one place.
 */
class ArchitectureTests {

	private static final String ROOT = "dev.fencing";

	private static final String AUTOCONFIGURE = "dev.fencing.autoconfigure";

	/** For each package the packages of ours that it may know besides itself. */
	private static final Map<String, Set<String>> ARROWS = Map.ofEntries( //
			entry(ROOT, Set.of()), //
			entry("dev.fencing.event", Set.of(ROOT)), //
			entry("dev.fencing.lease", Set.of(ROOT)), //
			entry("dev.fencing.lease.redis", Set.of(ROOT, "dev.fencing.lease")), //
			entry("dev.fencing.interceptor", Set.of(ROOT)), //
			entry("dev.fencing.transaction", Set.of(ROOT, "dev.fencing.lease")), //
			entry("dev.fencing.jdbc",
					Set.of(ROOT, "dev.fencing.lease", "dev.fencing.rejection", "dev.fencing.transaction")), //
			entry("dev.fencing.jpa", Set.of(ROOT, "dev.fencing.transaction")), //
			entry("dev.fencing.rejection", Set.of(ROOT)), //
			entry("dev.fencing.metrics", Set.of(ROOT)), //
			entry("dev.fencing.shedlock", Set.of(ROOT)), //
			entry("dev.fencing.integration", Set.of(ROOT)), //
			entry("dev.fencing.actuate",
					Set.of(ROOT, "dev.fencing.lease", "dev.fencing.rejection", "dev.fencing.transaction")), //
			entry(AUTOCONFIGURE,
					Set.of(ROOT, "dev.fencing.lease", "dev.fencing.lease.redis", "dev.fencing.interceptor",
							"dev.fencing.transaction", "dev.fencing.jdbc", "dev.fencing.jpa", "dev.fencing.rejection",
							"dev.fencing.metrics", "dev.fencing.actuate", "dev.fencing.event")));

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(ROOT);

	static Stream<String> packages() {
		return ARROWS.keySet().stream().sorted();
	}

	@ParameterizedTest
	@MethodSource("packages")
	void packageKnowsOnlyWhatItsArrowsPointAt(String packageName) {
		onlyKnows(packageName, ARROWS.get(packageName)).check(CLASSES);
	}

	@Test
	void everyPackageHasItsArrows() {
		assertThat(ARROWS.keySet()).isEqualTo(packagesWithClasses());
	}

	@Test
	void arrowThatIsNotAllowedIsFound() {
		assertThat(onlyKnows("dev.fencing.lease", Set.of()).evaluate(CLASSES).hasViolation()).isTrue();
	}

	@Test
	void packagesFormNoCycle() {
		SlicesRuleDefinition.slices().assignedFrom(new PackageSlices()).should().beFreeOfCycles().check(CLASSES);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			org.springframework.boot,       dev.fencing.actuate
			org.springframework.data.redis, dev.fencing.lease.redis
			io.lettuce,                     dev.fencing.lease.redis
			org.springframework.jdbc,       dev.fencing.jdbc
			org.springframework.orm,        dev.fencing.jpa
			jakarta.persistence,            dev.fencing.jpa
			io.micrometer,                  dev.fencing.metrics
			net.javacrumbs.shedlock,        dev.fencing.shedlock
			org.springframework.integration, dev.fencing.integration
			""")
	void libraryIsKnownInOnePlace(String library, String packageName) {
		ArchRule rule = noClasses().that()
			.resideOutsideOfPackages(packageName, AUTOCONFIGURE)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(library + "..");
		rule.check(CLASSES);
	}

	@Test
	void libraryOutOfPlaceIsFound() {
		ArchRule rule = noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.util..");
		assertThat(rule.evaluate(CLASSES).hasViolation()).isTrue();
	}

	@Test
	void everyPackageTellsWhatMayBeNull() {
		assertThat(packagesWithClasses()).allSatisfy((packageName) -> {
			JavaPackage javaPackage = CLASSES.getPackage(packageName);
			assertThat(javaPackage.tryGetPackageInfo()).as("package-info of " + packageName).isPresent();
			assertThat(javaPackage.isAnnotatedWith(NullMarked.class)).as("@NullMarked on " + packageName).isTrue();
		});
	}

	/**
	 * A wall clock may be set, and tells nothing of a pause.
	 */
	@Test
	void leasesAreTimedByNoWallClock() {
		ArchRule rule = noClasses().that()
			.resideInAPackage(ROOT + ".lease..")
			.and()
			// In place of the Redis server's clock, of which numbers are made, and no
			// times
			.areNotAssignableTo(InMemoryLeaseProvider.class)
			.should()
			.callMethod(System.class, "currentTimeMillis")
			.orShould()
			.dependOnClassesThat()
			.belongToAnyOf(Instant.class, Clock.class, Date.class, LocalDateTime.class, OffsetDateTime.class,
					ZonedDateTime.class);
		rule.check(CLASSES);
	}

	@Test
	void nothingIsInjectedIntoFields() {
		GeneralCodingRules.NO_CLASSES_SHOULD_USE_FIELD_INJECTION.check(CLASSES);
	}

	@Test
	void nothingIsWrittenToTheConsole() {
		GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
	}

	private static ArchRule onlyKnows(String packageName, Set<String> others) {
		DescribedPredicate<JavaClass> allowed = DescribedPredicate.describe("are in " + new TreeSet<>(others),
				(type) -> !isOurs(type) || type.getPackageName().equals(packageName)
						|| others.contains(type.getPackageName()));
		return classes().that().resideInAPackage(packageName).should().onlyDependOnClassesThat(allowed);
	}

	private static boolean isOurs(JavaClass type) {
		String name = type.getPackageName();
		return name.equals(ROOT) || name.startsWith(ROOT + ".");
	}

	private static Set<String> packagesWithClasses() {
		return CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
	}

	private static final class PackageSlices implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return isOurs(type) ? SliceIdentifier.of(type.getPackageName()) : SliceIdentifier.ignore();
		}

		@Override
		public String getDescription() {
			return "packages of " + ROOT;
		}

	}

}
