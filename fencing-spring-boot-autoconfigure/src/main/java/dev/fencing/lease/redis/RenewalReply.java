package dev.fencing.lease.redis;

import java.util.ArrayList;
import java.util.List;

import dev.fencing.FencingTokens;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.RenewalAnswer;

/**
 * What Redis says to renewals: one word for each resource.
 */
final class RenewalReply {

	private static final RenewalAnswer RENEWED = new RenewalAnswer.Renewed();

	private static final RenewalAnswer GONE = new RenewalAnswer.Gone();

	private static final String TAKEN = "taken:";

	private RenewalReply() {
	}

	/**
	 * Make one answer of all the words for a lease.
	 */
	static List<RenewalAnswer> answers(List<LeaseExtension> extensions, List<String> reply) {
		List<RenewalAnswer> answers = new ArrayList<>(extensions.size());
		int next = 0;
		for (LeaseExtension extension : extensions) {
			int count = extension.lease().resources().size();
			answers.add(answer(reply.subList(next, next + count)));
			next += count;
		}
		return answers;
	}

	private static RenewalAnswer answer(List<String> words) {
		RenewalAnswer answer = RENEWED;
		for (String word : words) {
			if (word.startsWith(TAKEN)) {
				return new RenewalAnswer.Taken(generation(word.substring(TAKEN.length())));
			}
			if (!word.equals("renewed")) {
				answer = GONE;
			}
		}
		return answer;
	}

	/**
	 * Of a value that somebody else has written, which may be anything.
	 */
	private static long generation(String digits) {
		try {
			long generation = Long.parseLong(digits);
			return (generation <= FencingTokens.MAX_GENERATION) ? generation : 0;
		}
		catch (NumberFormatException ex) {
			return 0;
		}
	}

}
