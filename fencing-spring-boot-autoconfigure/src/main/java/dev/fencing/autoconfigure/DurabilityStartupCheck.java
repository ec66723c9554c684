package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.LeaseProvider;

/**
 * Tells at the start with which settings Redis may lose leases, or does not start with
 * them.
 */
final class DurabilityStartupCheck implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(DurabilityStartupCheck.class);

	/**
	 * The application starts without Redis as well: it must not wait long for one that is
	 * away.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

	private final LeaseProvider provider;

	private final FencingProperties.DurabilityCheck mode;

	DurabilityStartupCheck(LeaseProvider provider, FencingProperties.DurabilityCheck mode) {
		this.provider = provider;
		this.mode = mode;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.mode == FencingProperties.DurabilityCheck.OFF) {
			return;
		}
		DurabilityReport report = this.provider.durability(LONGEST_WAIT);
		List<String> lines = lines(report);
		if (lines.isEmpty()) {
			return;
		}
		if (this.mode == FencingProperties.DurabilityCheck.FAIL) {
			throw new FencingConfigurationException(
					"Redis may lose leases, or does not tell whether it may:%n%s"
						.formatted(String.join("%n".formatted(), lines)),
					"Change these settings and let them be read, or set fencing.redis.durability-check to warn.");
		}
		if (!report.findings().isEmpty()) {
			logger.warn("Redis may lose leases, which costs time or the order of service, and never an update: the "
					+ "database decides. (fencing.redis.durability-check=off leaves this out)");
		}
		lines.forEach(logger::warn);
	}

	private static List<String> lines(DurabilityReport report) {
		List<String> lines = new ArrayList<>();
		for (DurabilityFinding finding : report.findings()) {
			lines.add("%s %s: %s %s".formatted(finding.setting(), finding.value(), finding.risk(), finding.advice()));
		}
		if (report.error() != null) {
			lines.add(report.error());
		}
		return lines;
	}

}
