package dev.fencing.test.app;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.LockInsideTransactionException;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.test.AutoConfigureFencing;
import dev.fencing.test.StaleOwner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locked code in a slice.
 */
@JdbcTest(properties = "fencing.provider=redis")
@AutoConfigureFencing
@Import({ Documents.class, HelpedDocuments.class })
@Transactional(propagation = Propagation.NOT_SUPPORTED)
class JdbcSliceTests {

	@Autowired
	StaleOwner staleOwner;

	@Autowired
	Documents documents;

	@Autowired
	HelpedDocuments helped;

	@Autowired
	JdbcTemplate jdbc;

	@Test
	void staleOwnerIsRejected() {
		assertThat(this.staleOwner.of(() -> this.documents.rename(42, "A"))
			.successor(() -> this.documents.rename(42, "B"))
			.run()).rejected().by("transaction").leftNothingIn("document");
		assertThat(this.documents.title(42)).isEqualTo("B");
	}

	@Test
	void helpersAreThere() {
		this.helped.rename(42, "C");
		assertThat(this.documents.title(42)).isEqualTo("C");
	}

	@Test
	void leasesAreInMemoryWhateverTheApplicationSays(@Autowired LeaseProvider provider) {
		assertThat(provider.name()).isEqualTo("memory");
	}

	@Test
	@Transactional
	void transactionOfTheTestIsRefused() {
		assertThatExceptionOfType(LockInsideTransactionException.class)
			.isThrownBy(() -> this.documents.rename(42, "A"));
	}

}
