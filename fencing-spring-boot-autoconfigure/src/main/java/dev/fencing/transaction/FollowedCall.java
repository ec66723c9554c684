package dev.fencing.transaction;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import dev.fencing.AcquisitionOutcome;
import dev.fencing.FencingContext;
import dev.fencing.ListenerFailures;
import dev.fencing.LockCallObserver;
import dev.fencing.LockCallObserver.LockCall;
import dev.fencing.LockRequest;

/**
 * A locked call and who follows it. What that one throws is logged: it keeps neither the
 * locked code from running nor a lease from being released.
 */
final class FollowedCall {

	private final LockCall follower;

	private AcquisitionOutcome outcome = AcquisitionOutcome.FAILED;

	private FollowedCall(LockCall follower) {
		this.follower = follower;
	}

	static FollowedCall begin(LockCallObserver observer, LockRequest request) {
		LockCall follower = LockCall.NONE;
		try {
			LockCall told = observer.begin(request);
			Assert.notNull(told, "The observer returned null");
			follower = told;
		}
		catch (Throwable ex) {
			ListenerFailures.log(observer, ex);
		}
		return new FollowedCall(follower);
	}

	void attempted(AcquisitionOutcome outcome) {
		this.outcome = outcome;
	}

	void acquired(FencingContext context) {
		try {
			this.follower.acquired(context);
		}
		catch (Throwable ex) {
			ListenerFailures.log(this.follower, ex);
		}
	}

	void ended(@Nullable Throwable failure) {
		try {
			this.follower.ended(this.outcome, failure);
		}
		catch (Throwable ex) {
			ListenerFailures.log(this.follower, ex);
		}
	}

}
