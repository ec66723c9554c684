package dev.fencing.test;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.StaleGenerationException;
import dev.fencing.test.app.ArchivedDocuments;
import dev.fencing.test.app.AsyncDocuments;
import dev.fencing.test.app.DocumentEntities;
import dev.fencing.test.app.Documents;
import dev.fencing.test.app.HelpedDocuments;
import dev.fencing.test.app.Notes;
import dev.fencing.test.app.TestApplication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the driver shows of services that guard their writes, and of some that do not.
 */
@SpringBootTest(classes = TestApplication.class, webEnvironment = WebEnvironment.NONE)
@Timeout(60)
abstract class AbstractStaleOwnerTests {

	private static final int RUNS = 20;

	@Autowired
	StaleOwner staleOwner;

	@Autowired
	Documents documents;

	@Autowired
	HelpedDocuments helped;

	@Autowired
	DocumentEntities entities;

	@Autowired
	AsyncDocuments async;

	@Autowired
	ArchivedDocuments archived;

	@Autowired
	Notes notes;

	@Autowired
	JdbcTemplate jdbc;

	@Autowired
	@Qualifier("archive")
	JdbcTemplate archive;

	/**
	 * Nothing that happens but once is in the time of a run.
	 */
	@BeforeEach
	void connect() {
		this.documents.rename(42, "first");
	}

	@AfterEach
	void reset() {
		this.jdbc.update("update document set title = 'first'");
		this.archive.update("update archived_document set title = 'first'");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void guardedTransactionIsRejectedBeforeItsCommit() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.documents.rename(42, "A"))
			.pausedBefore(PausePoint.COMMIT)
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThat(result).rejected().by("transaction").leftNothing().leftNothingIn("document");
		assertThat(result.isSuccessorBlocked()).as("the row is the first owner's until it has rolled back").isTrue();
		assertThat(this.documents.title(42)).isEqualTo("B");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void guardedTransactionIsRejectedBeforeItsBody() {
		assertGuardedTransactionIsRejected(PausePoint.BODY);
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void guardedTransactionIsRejectedBeforeItReads() {
		assertGuardedTransactionIsRejected(PausePoint.statement(1));
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void guardedTransactionIsRejectedBeforeItWrites() {
		assertGuardedTransactionIsRejected(PausePoint.statement(2));
	}

	private void assertGuardedTransactionIsRejected(PausePoint point) {
		StaleOwnerResult result = this.staleOwner.of(() -> this.documents.rename(42, "A"))
			.pausedBefore(point)
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThat(result).rejected().by("transaction").leftNothingIn("document", "AUDIT").leftNothing();
		assertThat(result.isSuccessorBlocked()).isFalse();
		assertThat(result.failure()).isInstanceOf(StaleGenerationException.class);
		assertThat(this.documents.title(42)).isEqualTo("B");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void rowGuardRejectsTheHelper() {
		assertThat(this.staleOwner.of(() -> this.helped.rename(42, "A"))
			.pausedBefore(PausePoint.statement(1))
			.successor(() -> this.helped.rename(42, "B"))
			.run()).rejected().by("row").leftNothingIn("document");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void jpaIsRejectedBeforeItsCommit() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.entities.rename(42, "A"))
			.pausedBefore(PausePoint.COMMIT)
			.successor(() -> this.entities.rename(42, "B"))
			.run();
		assertThat(result).rejected().by("transaction").leftNothingIn("document");
		assertThat(result.isSuccessorBlocked()).as("JPA writes when it commits").isFalse();
		assertThat(this.documents.title(42)).isEqualTo("B");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void autoCommitLosesAnUpdate() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.documents.renameWithoutTransaction(42, "A"))
			.pausedBefore(PausePoint.statement(1))
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThat(result).notRejected().lostUpdate();
		assertThat(result.leftovers()).anyMatch((line) -> line.contains("there was") && line.contains("title=B"))
			.anyMatch((line) -> line.contains("there is now") && line.contains("title=A"));
		assertThat(this.documents.title(42)).isEqualTo("A");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void otherThreadLosesAnUpdateAlthoughTheCallIsRejected() {
		assertThat(this.staleOwner.of(() -> this.async.rename(42, "A"))
			.pausedBefore(PausePoint.BODY)
			.successor(() -> this.async.rename(42, "B"))
			.run()).rejected().lostUpdate();
		assertThat(this.documents.title(42)).isEqualTo("A");
	}

	@RepeatedTest(RUNS)
	@Timeout(2)
	void otherDatabaseLosesAnUpdateAlthoughTheCallIsRejected() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.archived.rename(42, "A"))
			.pausedBefore(PausePoint.statement(1))
			.successor(() -> this.archived.rename(42, "B"))
			.run();
		assertThat(result).rejected().leftNothingIn("document").lostUpdate();
		assertThat(result.leftoversIn("archived_document")).isNotEmpty();
	}

	@Test
	void helperIsPausedBeforeTheCommitOfItsOwnTransaction() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.helped.rename(42, "A"))
			.pausedBefore(PausePoint.COMMIT)
			.successor(() -> this.helped.rename(42, "B"))
			.run();
		assertThat(result).rejected().by("transaction").leftNothing();
		assertThat(this.documents.title(42)).isEqualTo("B");
	}

	@Test
	void writeAfterTheRejectionIsSeenAlsoIfTheSuccessorWasBlocked() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.notes.renameInAnyCase(42, "A"))
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThat(result.isSuccessorBlocked()).isTrue();
		assertThat(result).rejected().lostUpdate();
		assertThat(result.leftoversIn("document")).hasSize(2);
		assertThat(this.documents.title(42)).isEqualTo("A");
	}

	@Test
	void writeOfAnotherThreadAfterTheRejectionIsSeenAlsoIfTheSuccessorWasBlocked() {
		assertThat(this.staleOwner.of(() -> this.notes.renameLater(42, "A"))
			.successor(() -> this.documents.rename(42, "B"))
			.run()).rejected().lostUpdate();
	}

	@Test
	void writeOfAnotherThreadBeforeTheRejectionIsSeenAlsoIfTheSuccessorWasBlocked() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.notes.renameAndNote(42, "A"))
			.pausedBefore(PausePoint.statement(2))
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThat(result.isSuccessorBlocked()).isTrue();
		assertThat(result).rejected().lostUpdate();
		assertThat(result.leftovers()).hasSize(2).allMatch((line) -> line.contains("id=43"));
	}

	@Test
	void writeOfTheSuccessorOnAnotherThreadIsNotTheFirstOwnersAlsoIfItWasBlocked() {
		assertThat(this.staleOwner.of(() -> this.documents.rename(42, "A"))
			.successor(() -> this.notes.renameAndNote(42, "B"))
			.run()).rejected().leftNothing();
		assertThat(this.documents.title(43)).isEqualTo("B");
	}

	@Test
	void whoTriesAgainWritesAsTheRightfulOwner() {
		for (PausePoint point : new PausePoint[] { PausePoint.BODY, PausePoint.COMMIT }) {
			StaleOwnerResult result = this.staleOwner.of(() -> this.notes.renameStubbornly(42, "A"))
				.pausedBefore(point)
				.successor(() -> this.documents.rename(42, "B"))
				.run();
			assertThat(result).rejected().leftNothing();
			assertThat(result.failure()).isNull();
			assertThat(this.documents.title(42)).isEqualTo("A");
		}
	}

	@Test
	void allLeasesOfTheFirstOwnerPassOn() {
		assertThat(this.staleOwner.of(() -> this.notes.renameInFolder(42, "A"))
			.pausedBefore(PausePoint.statement(2))
			.successor(() -> this.documents.rename(42, "B"))
			.run()).rejected().leftNothing();
	}

	@Test
	void otherLocksAreLeftAlone() {
		StaleOwnerResult result = this.staleOwner.of(() -> this.notes.renameInFolder(42, "A"))
			.onLock("document")
			.pausedBefore(PausePoint.BODY)
			.successor(() -> this.documents.rename(42, "B"))
			.run();
		assertThat(result).rejected().leftNothing();
	}

	@Test
	void firstCommitStaysWhenTheSecondOneIsRejectedAndShortestHoldsDoNotLast() {
		for (int i = 0; i < 2; i++) {
			StaleOwnerResult result = this.staleOwner.of(() -> this.notes.renameTwice(42, "A"))
				.pausedBefore(PausePoint.commit(2))
				.successor(() -> this.notes.renameTwice(42, "B"))
				.run();
			assertThat(result).rejected().by("transaction").leftNothing();
			assertThat(this.documents.title(42)).isEqualTo("B");
		}
	}

	@Test
	void tablesOfOtherSchemasAreCompared() {
		this.jdbc.execute("create schema if not exists other");
		this.jdbc.execute("create table if not exists other.note (title varchar(100))");
		StaleOwnerResult result = this.staleOwner.of(() -> {
			try {
				this.documents.rename(42, "A");
			}
			finally {
				this.jdbc.update("insert into other.note (title) values ('A')");
			}
		}).successor(() -> this.documents.rename(42, "B")).run();
		assertThat(result).rejected().leftNothingIn("document").lostUpdate();
		assertThat(result.leftoversIn("other.note")).hasSize(1);
		assertThatIllegalArgumentException().isThrownBy(() -> assertThat(result).leftNothingIn("documnet"));
	}

	@Test
	void applicationWorksAfterARun() {
		guardedTransactionIsRejectedBeforeItsCommit();
		this.documents.rename(42, "C");
		assertThat(this.documents.title(42)).isEqualTo("C");
	}

}
