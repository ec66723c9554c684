package dev.fencing.compat;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.test.AutoConfigureFencing;
import dev.fencing.test.PausePoint;
import dev.fencing.test.StaleOwner;
import dev.fencing.test.StaleOwnerResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The test starter on every version of Spring Boot.
 */
@Tag("compat")
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureFencing
@Timeout(60)
class StaleOwnerCompatTests {

	private static final Runnable NOTHING = () -> {
	};

	@Autowired
	private StaleOwner staleOwner;

	@Autowired
	private Documents documents;

	@Autowired
	private JdbcTemplate jdbc;

	@Test
	void guardedTransactionIsRejected() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.documents.renamePlainly(1, "A", NOTHING))
			.pausedBefore(PausePoint.COMMIT)
			.successor(() -> this.documents.renamePlainly(1, "B", NOTHING))
			.run();
		assertThat(result).rejected().by("transaction").leftNothingIn("document");
	}

	@Test
	void helperIsRejected() {
		assertThat(this.staleOwner.of(() -> this.documents.rename(1, "A", NOTHING))
			.pausedBefore(PausePoint.statement(1))
			.successor(() -> this.documents.rename(1, "B", NOTHING))
			.run()).rejected().by("row").leftNothing();
	}

	@Test
	void updateThatIsLostIsSeen() {
		assertThat(this.staleOwner.of(() -> this.documents.rename(1, "A", this::writeOnAnotherThread))
			.pausedBefore(PausePoint.BODY)
			.successor(() -> this.documents.rename(1, "B", NOTHING))
			.run()).rejected().lostUpdate();
	}

	private void writeOnAnotherThread() {
		CompletableFuture.runAsync(() -> this.jdbc.update("update document set title = 'lost' where id = 1")).join();
	}

}
