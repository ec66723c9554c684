package dev.fencing.sample.race;

import org.jspecify.annotations.Nullable;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The races over HTTP.
 */
@RestController
@RequestMapping("/api/races")
class RaceController {

	private final RaceService races;

	RaceController(RaceService races) {
		this.races = races;
	}

	@PostMapping
	RaceResult run(@RequestBody(required = false) @Nullable RaceRequest request) {
		RaceRequest race = (request != null) ? request : new RaceRequest(null, null, null, null);
		return this.races.run(race.isFenced(), race.plan());
	}

}
