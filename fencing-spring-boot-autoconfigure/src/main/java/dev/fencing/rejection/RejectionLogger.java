package dev.fencing.rejection;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import dev.fencing.FencingContext;
import dev.fencing.FencingListener;
import dev.fencing.FencingTokens;
import dev.fencing.Rejection;
import dev.fencing.Rejection.Reason;

/**
 * Writes one WARN line for every rejection, and one for every lease that was lost while
 * its code was running. An ordinary acquisition writes nothing. Text that comes from
 * outside is quoted: a resource key cannot forge a line.
 *
 * @since 0.1.0
 */
public final class RejectionLogger implements FencingListener {

	private static final Log logger = LogFactory.getLog(RejectionLogger.class);

	@Override
	public void rejected(Rejection rejection) {
		if (rejection.reason() != Reason.REGRESSED) {
			logger.warn("Rejected: " + describe(rejection));
		}
	}

	/**
	 * A regression is told here, in words of its own: the refused owner is not stale, and
	 * what needs care is the lease provider.
	 */
	@Override
	public void issuerRegressed(Rejection rejection) {
		logger.warn("Issuer regressed, the lease provider gave out a number that is not greater than the accepted one: "
				+ describe(rejection));
	}

	@Override
	public void leaseLost(FencingContext context) {
		logger.warn("Lease lost while its code was running, the database decides: resource %s, generation %d"
			.formatted(LogText.quote(String.join(", ", context.resources())), context.generation()));
	}

	static String describe(Rejection rejection) {
		Long accepted = rejection.acceptedToken();
		return "resource %s, rejected token %s, accepted token %s, owner %s, instance %s, guard %s, reason %s"
			.formatted(LogText.quote(rejection.resource()), FencingTokens.format(rejection.rejectedToken()),
					(accepted != null) ? FencingTokens.format(accepted) : "none", LogText.quote(rejection.owner()),
					LogText.quote(rejection.instance()), rejection.guard().tag(), rejection.reason().tag());
	}

}
