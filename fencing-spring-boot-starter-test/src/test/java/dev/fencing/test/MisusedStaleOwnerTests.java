package dev.fencing.test;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.test.StaleOwner.Scenario;
import dev.fencing.test.app.Documents;
import dev.fencing.test.app.TestApplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A run that shows nothing says why, and never passes for one that does.
 */
@SpringBootTest(classes = TestApplication.class, webEnvironment = WebEnvironment.NONE)
@AutoConfigureFencing
@Timeout(60)
class MisusedStaleOwnerTests {

	@Autowired
	StaleOwner staleOwner;

	@Autowired
	Documents documents;

	@Autowired
	PlatformTransactionManager transactionManager;

	@Test
	void ownerThatTakesNoLeaseIsToldOf() {
		assertThatIllegalStateException().isThrownBy(renaming(() -> this.documents.renameWithoutLock(42, "A"))::run)
			.withMessageContaining("never came to commit 1")
			.withMessageContaining("took no lease");
	}

	@Test
	void ownerThatNeverComesToThePointIsToldOf() {
		assertThatIllegalStateException()
			.isThrownBy(renaming(() -> this.documents.rename(42, "A")).pausedBefore(PausePoint.statement(3))::run)
			.withMessageContaining("never came to statement 3")
			.withMessageContaining("returned before it")
			.withMessageContaining("ran 2 statements and 1 commits");
	}

	@Test
	void ownerThatFailsBeforeThePointIsToldOf() {
		assertThatIllegalStateException().isThrownBy(renaming(() -> this.documents.fail(42))::run)
			.withMessageContaining("Document 42 cannot be renamed")
			.withCauseInstanceOf(UnsupportedOperationException.class);
	}

	@Test
	void ownerOutsideOfATransactionNeverCommits() {
		assertThatIllegalStateException()
			.isThrownBy(renaming(() -> this.documents.renameWithoutTransaction(42, "A"))::run)
			.withMessageContaining("ran 1 statements and 0 commits");
	}

	@Test
	void successorThatFailsIsToldOf() {
		assertThatIllegalStateException()
			.isThrownBy(this.staleOwner.of(() -> this.documents.rename(42, "A"))
				.pausedBefore(PausePoint.BODY)
				.successor(() -> this.documents.fail(42))::run)
			.withMessageContaining("The successor failed")
			.withCauseInstanceOf(UnsupportedOperationException.class);
	}

	@Test
	void successorThatTakesNoLeaseIsToldOf() {
		assertThatIllegalStateException()
			.isThrownBy(this.staleOwner.of(() -> this.documents.rename(42, "A"))
				.pausedBefore(PausePoint.BODY)
				.successor(() -> this.documents.renameWithoutLock(42, "B"))::run)
			.withMessageContaining("took no lease on [document:42]");
	}

	@Test
	void successorOnAnotherResourceIsToldOf() {
		assertThatIllegalStateException()
			.isThrownBy(this.staleOwner.of(() -> this.documents.rename(42, "A"))
				.pausedBefore(PausePoint.BODY)
				.successor(() -> this.documents.rename(43, "B"))::run)
			.withMessageContaining("took no lease on [document:42]");
	}

	@Test
	void successorThatDoesNotEndIsToldOf() {
		CountDownLatch released = new CountDownLatch(1);
		try {
			assertThatIllegalStateException()
				.isThrownBy(this.staleOwner.of(() -> this.documents.rename(42, "A"))
					.pausedBefore(PausePoint.BODY)
					.timeout(Duration.ofMillis(100))
					.successor(() -> released.await(1, TimeUnit.MINUTES))::run)
				.withMessageContaining("has not ended within PT0.1S")
				.satisfies((ex) -> assertThat(ex.getCause().getStackTrace()).isNotEmpty());
		}
		finally {
			released.countDown();
		}
	}

	@Test
	void transactionOfTheTestIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> new TransactionTemplate(this.transactionManager)
				.executeWithoutResult((transaction) -> renaming(() -> this.documents.rename(42, "A")).run()))
			.withMessageContaining("NOT_SUPPORTED");
	}

	@Test
	void secondRunAtTheSameTimeIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(renaming(() -> renaming(() -> this.documents.rename(42, "A")).run())::run)
			.withMessageContaining("never came to commit 1");
	}

	@Test
	void scenarioWithoutASuccessorIsRefused() {
		assertThatIllegalStateException().isThrownBy(this.staleOwner.of(() -> this.documents.rename(42, "A"))::run)
			.withMessageContaining("successor(() -> ...)");
	}

	@Test
	void pointsAreCountedFromOne() {
		assertThatIllegalArgumentException().isThrownBy(() -> PausePoint.statement(0));
		assertThatIllegalArgumentException().isThrownBy(() -> PausePoint.commit(-1));
	}

	@Test
	void tableThatIsNotThereIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(renaming(() -> this.documents.rename(42, "A")).watching("documents")::run)
			.withMessageContaining("'documents' is in no data source");
	}

	@Test
	void tableThatWasNotComparedIsNotVerified() {
		StaleOwnerResult result = renaming(() -> this.documents.rename(42, "A")).pausedBefore(PausePoint.BODY)
			.watching("Document")
			.run();
		assertThat(result).leftNothingIn("DOCUMENT");
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(result).leftNothingIn("audit"))
			.withMessageContaining("'audit' is not among");
	}

	@Test
	void registryIsNoTableOfTheApplication() {
		StaleOwnerResult result = renaming(() -> this.documents.rename(42, "A")).pausedBefore(PausePoint.BODY).run();
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(result).leftNothingIn("fencing_generation"));
	}

	@Test
	void assertionsFailWhenTheyShould() {
		StaleOwnerResult rejected = renaming(() -> this.documents.rename(42, "A")).run();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(rejected).notRejected());
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(rejected).by("row"))
			.withMessageContaining("TRANSACTION");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(rejected).lostUpdate());
		StaleOwnerResult lost = this.staleOwner.of(() -> this.documents.renameWithoutTransaction(42, "A"))
			.pausedBefore(PausePoint.statement(1))
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(lost).rejected())
			.withMessageContaining("nothing was refused to it");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(lost).leftNothing())
			.withMessageContaining("title=A");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(lost).leftNothingIn("document"))
			.withMessageContaining("title=A");
	}

	@Test
	void failureMayBeAnother() {
		StaleOwnerResult hidden = renaming(() -> {
			try {
				this.documents.rename(42, "A");
			}
			catch (RuntimeException ex) {
				throw new IllegalArgumentException("Hidden");
			}
		}).run();
		assertThat(hidden).rejected().leftNothing();
		assertThat(hidden.failure()).hasMessage("Hidden");
	}

	private Scenario renaming(StaleOwner.Action first) {
		return this.staleOwner.of(first).successor(() -> this.documents.rename(42, "B"));
	}

}
