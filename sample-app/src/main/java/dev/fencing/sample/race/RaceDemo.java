package dev.fencing.sample.race;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Runs the race once without and once with the fence when the application starts, shows
 * what happened and says where to look. {@code sample.demo=false} leaves it out.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.demo", matchIfMissing = true)
class RaceDemo implements ApplicationRunner {

	private static final Log logger = LogFactory.getLog(RaceDemo.class);

	private final RaceService races;

	private final Environment environment;

	RaceDemo(RaceService races, Environment environment) {
		this.races = races;
		this.environment = environment;
	}

	@Override
	public void run(ApplicationArguments args) {
		try {
			RaceResult unfenced = this.races.run(false, PausePoint.BEFORE_WRITE);
			RaceResult fenced = this.races.run(true, PausePoint.BEFORE_WRITE);
			logger.info("The race\n\n" + RaceReport.of(unfenced) + "\n" + RaceReport.of(fenced) + "\n" + whereToLook());
		}
		catch (RuntimeException ex) {
			logger.warn("The race could not be shown; the application runs all the same", ex);
		}
	}

	private String whereToLook() {
		String url = "http://localhost:" + this.environment.getProperty("local.server.port");
		return """
				Where to look
				  picture      %1$s/
				  documents    %1$s/api/documents
				  rejections   %1$s/actuator/fencing
				  meters       %1$s/actuator/prometheus   (fence_rejected_total)
				  race again   curl -X POST %1$s/api/races -H 'Content-Type: application/json' \\
				                 -d '{"fenced": true, "pause": "beforeCommit"}'
				""".formatted(url);
	}

}
