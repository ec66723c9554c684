package dev.fencing.sample.race;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.Environment;

import dev.fencing.sample.SampleTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what the application shows when it starts.
 */
@SampleTest
@ExtendWith(OutputCaptureExtension.class)
class RaceDemoTests {

	@Autowired
	private RaceService races;

	@Autowired
	private Environment environment;

	@Test
	void bothRacesAreShownAndWhereToLook(CapturedOutput output) {
		new RaceDemo(this.races, this.environment).run(new DefaultApplicationArguments());
		String url = "http://localhost:" + this.environment.getProperty("local.server.port");
		assertThat(output.getOut())
			.containsSubsequence("UNFENCED", "A  wrote          \"draft +A\"", "B's update", "FENCED", "A  rejected",
					"\"draft +B\": A was refused")
			.contains("picture      " + url + "/", url + "/api/documents", url + "/actuator/fencing",
					url + "/actuator/prometheus", "fence_rejected_total");
	}

}
