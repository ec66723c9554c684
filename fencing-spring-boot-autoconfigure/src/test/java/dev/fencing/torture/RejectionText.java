package dev.fencing.torture;

import java.time.Instant;

import dev.fencing.Rejection;

/**
 * A rejection as one word, for another process.
 */
final class RejectionText {

	private RejectionText() {
	}

	static String of(Rejection rejection) {
		return String.join(";", rejection.at().toString(), rejection.lock(), rejection.resource(),
				Long.toString(rejection.rejectedToken()), String.valueOf(rejection.acceptedToken()),
				rejection.guard().name(), rejection.reason().name(), rejection.owner(), rejection.instance());
	}

	static Rejection parse(String text) {
		String[] parts = text.split(";");
		return new Rejection(Instant.parse(parts[0]), parts[1], parts[2], Long.parseLong(parts[3]),
				parts[4].equals("null") ? null : Long.valueOf(parts[4]), Rejection.Guard.valueOf(parts[5]),
				Rejection.Reason.valueOf(parts[6]), parts[7], parts[8]);
	}

}
