package dev.fencing.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.fencing.lease.Lease;
import dev.fencing.lease.LeaseExtension;
import dev.fencing.lease.LeaseProvider;
import dev.fencing.lease.RenewalAnswer;

/**
 * Renewals of single leases, and what doubles of a provider answer to any.
 */
public final class Renewals {

	private Renewals() {
	}

	/**
	 * Renew one lease and wait for the answer.
	 */
	public static RenewalAnswer renew(LeaseProvider provider, Lease lease, Duration leaseTime) {
		return send(provider, lease, leaseTime).join().get(0);
	}

	/**
	 * Renew one lease.
	 */
	public static CompletableFuture<List<RenewalAnswer>> send(LeaseProvider provider, Lease lease, Duration leaseTime) {
		return provider.renew(List.of(new LeaseExtension(lease, leaseTime))).toCompletableFuture();
	}

	/**
	 * Answer that all were renewed.
	 */
	public static CompletionStage<List<RenewalAnswer>> allRenewed(List<LeaseExtension> extensions) {
		return CompletableFuture.completedFuture(
				extensions.stream().<RenewalAnswer>map((extension) -> new RenewalAnswer.Renewed()).toList());
	}

}
