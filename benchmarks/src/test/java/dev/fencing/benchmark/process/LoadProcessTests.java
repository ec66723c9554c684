package dev.fencing.benchmark.process;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LoadProcess} and {@link LoadWorker}.
 */
@Timeout(60)
class LoadProcessTests {

	@Test
	void workerHearsAndReports() throws Exception {
		try (LoadProcess process = start()) {
			LoadWorker.awaitReady(process);
			process.tell("first");
			assertThat(process.hear()).isEqualTo("heard first");
			process.tell("second");
			process.tell("end");
			assertThat(process.lines()).containsExactly("heard second");
		}
	}

	@Test
	void failedWorkerHasNoValues() throws Exception {
		try (LoadProcess process = start()) {
			LoadWorker.awaitReady(process);
			process.tell("fail");
			assertThatIllegalStateException().isThrownBy(process::lines).withMessageContaining("ended with 3");
		}
	}

	@Test
	void closedWorkerIsGone() throws Exception {
		LoadProcess process = start();
		LoadWorker.awaitReady(process);
		process.close();
		assertThatIllegalStateException().isThrownBy(process::hear).withMessageContaining("before its time");
	}

	private static LoadProcess start() throws Exception {
		return LoadProcess.start(Worker.class, List.of("-Xmx32m"));
	}

	/**
	 * Repeats what it hears.
	 */
	static final class Worker {

		private Worker() {
		}

		public static void main(String[] args) {
			String instruction = LoadWorker.ready();
			while (!instruction.equals("end")) {
				if (instruction.equals("fail")) {
					System.exit(3);
				}
				System.out.println("Not a report");
				LoadWorker.report("heard " + instruction);
				instruction = LoadWorker.instruction();
			}
		}

	}

}
