package dev.fencing.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

import dev.fencing.lease.DurabilityFinding;
import dev.fencing.lease.DurabilityReport;
import dev.fencing.lease.LeaseProvider;

/**
 * Tells at the start with which settings Redis may lose leases, or does not start with
 * them. Where it only tells, nothing waits for what Redis answers.
 */
final class DurabilityStartupCheck implements InitializingBean, SmartInitializingSingleton,
		ApplicationListener<ContextClosedEvent>, DisposableBean {

	private static final Log logger = LogFactory.getLog(DurabilityStartupCheck.class);

	/**
	 * The application starts without Redis as well: it must not wait long for one that is
	 * away.
	 */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

	private final LeaseProvider provider;

	private final FencingProperties.DurabilityCheck mode;

	private volatile @Nullable CompletableFuture<DurabilityReport> asked;

	private volatile @Nullable CompletableFuture<Void> told;

	private volatile boolean destroyed;

	DurabilityStartupCheck(LeaseProvider provider, FencingProperties.DurabilityCheck mode) {
		this.provider = provider;
		this.mode = mode;
	}

	/**
	 * Ask beside the start where its end does not depend on the answer: to connect takes
	 * most of the time.
	 */
	@Override
	public void afterPropertiesSet() {
		if (this.mode == FencingProperties.DurabilityCheck.WARN) {
			this.asked = CompletableFuture.supplyAsync(() -> this.provider.durability(LONGEST_WAIT), (task) -> {
				Thread thread = new Thread(task, "fencing-durability-check");
				thread.setDaemon(true);
				thread.start();
			});
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		CompletableFuture<DurabilityReport> answer = this.asked;
		if (answer != null) {
			// Whatever a provider makes of the time that it is given: the close waits for
			// this
			this.told = answer.orTimeout(2 * LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)
				.handle((report, failure) -> {
					tell(report, failure);
					return null;
				});
		}
		else if (this.mode == FencingProperties.DurabilityCheck.FAIL) {
			refuse(this.provider.durability(LONGEST_WAIT));
		}
	}

	/**
	 * Wait until all is told: the connection closes next, and that is no news.
	 */
	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		CompletableFuture<Void> telling = this.told;
		if (telling != null) {
			telling.join();
		}
	}

	/**
	 * Say nothing of a Redis that does not answer since the start has failed.
	 */
	@Override
	public void destroy() {
		this.destroyed = true;
	}

	private static void refuse(DurabilityReport report) {
		List<String> lines = lines(report);
		if (!lines.isEmpty()) {
			throw new FencingConfigurationException(
					"Redis may lose leases, or does not tell whether it may:%n%s"
						.formatted(String.join("%n".formatted(), lines)),
					"Change these settings and let them be read, or set fencing.redis.durability-check to warn.");
		}
	}

	private void tell(@Nullable DurabilityReport report, @Nullable Throwable failure) {
		if (this.destroyed) {
			return;
		}
		if (report == null) {
			logger.warn("Whether Redis may lose leases is not known", failure);
			return;
		}
		if (!report.findings().isEmpty()) {
			logger.warn("Redis may lose leases, which costs time or the order of service, and never an update: the "
					+ "database decides. (fencing.redis.durability-check=off leaves this out)");
		}
		lines(report).forEach(logger::warn);
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
