package dev.fencing.test.app;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import dev.fencing.test.AutoConfigureFencing;
import dev.fencing.test.PausePoint;
import dev.fencing.test.StaleOwner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Locked code that writes through JPA, in a slice.
 */
@DataJpaTest
@AutoConfigureFencing
@Import(DocumentEntities.class)
@Transactional(propagation = Propagation.NOT_SUPPORTED)
class JpaSliceTests {

	@Autowired
	StaleOwner staleOwner;

	@Autowired
	DocumentEntities entities;

	@Test
	void staleOwnerIsRejected() {
		for (PausePoint point : new PausePoint[] { PausePoint.BODY, PausePoint.statement(1), PausePoint.COMMIT }) {
			assertThat(this.staleOwner.of(() -> this.entities.rename(42, "A"))
				.pausedBefore(point)
				.successor(() -> this.entities.rename(42, "B"))
				.run()).rejected().by("transaction").leftNothingIn("document");
		}
	}

}
