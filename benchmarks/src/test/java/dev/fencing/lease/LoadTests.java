package dev.fencing.lease;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs every load in small, to see that it still can be run. It measures nothing.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class LoadTests {

	@Test
	void manyLeasesAreHeld(CapturedOutput output) throws Exception {
		HeldLeasesLoad.main(new String[] { "50", "1", "1" });
		assertThat(output).contains("held: 50 leases");
	}

	@Test
	void herdWantsOneLease(CapturedOutput output) throws Exception {
		HerdLoad.main(new String[] { "2", "3", "4", "1" });
		assertThat(output).contains("attempts per grant");
	}

	@Test
	void leaseIsHandedToAndFro(CapturedOutput output) throws Exception {
		HandoverLoad.main(new String[] { "20", "1" });
		assertThat(output).contains("between 2 processes");
	}

}
