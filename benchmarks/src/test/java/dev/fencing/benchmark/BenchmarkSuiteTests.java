package dev.fencing.benchmark;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(120)
class BenchmarkSuiteTests {

	@TempDir
	private Path folder;

	@Test
	@Tag("smoke")
	void tablesAreWrittenForPeopleAndForPrograms() throws Exception {
		BenchmarkSuite.main(new String[] { "--smoke", "--only=B1,B2", "--output=" + this.folder });
		assertThat(this.folder.resolve("results.md")).content()
			.contains("| Fencing | 8 threads |", "| Redisson RFencedLock | 32 threads |", "| bare call | 1 thread |")
			.contains("ratio to bare Lettuce", "2 commands on the wire | 2.00 | met |");
		JsonNode results = JsonMapper.shared().readTree(Files.readString(this.folder.resolve("results.json")));
		assertThat(results.at("/smoke").booleanValue()).isTrue();
		assertThat(results.at("/benches/0/rows")).hasSize(21);
		assertThat(results.at("/benches/0/rows/0/values/operations~1s/0").doubleValue()).isPositive();
	}

	@Test
	void unknownArgumentIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> BenchmarkSuite.main(new String[] { "--fast" }))
			.withMessageContaining("--fast")
			.withMessageContaining("--only=B1,B5");
	}

	@Test
	void unknownBenchIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> BenchmarkSuite.main(new String[] { "--only=B1,B77" }))
			.withMessageContaining("B77")
			.withMessageContaining("B1, B2");
	}

}
