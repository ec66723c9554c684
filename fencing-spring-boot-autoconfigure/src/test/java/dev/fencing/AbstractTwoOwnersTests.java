package dev.fencing;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

import dev.fencing.testsupport.FaultyLeases;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.SteppedOwner;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two owners who increment one counter on a real database, in an order that the model has
 * found: under rules that look as good as the library's, and under the library's.
 */
@Timeout(60)
abstract class AbstractTwoOwnersTests {

	static final String RESOURCE = "counter";

	final FaultyLeases leases = leases();

	FencedStack stack;

	SteppedOwner a;

	SteppedOwner b;

	/**
	 * Return what gives out the leases.
	 */
	FaultyLeases leases() {
		return new FaultyLeases();
	}

	/**
	 * Let the library do what it does.
	 */
	void fenced(TestDatabase database) {
		use(FencedStack.on(database, this.leases, true));
	}

	/**
	 * Leave it to the test to register and to guard.
	 */
	void leasesOnly(TestDatabase database) {
		use(FencedStack.on(database, this.leases, false));
	}

	/**
	 * Begin where the model does: 1 is registered, and 2 was given out last.
	 */
	void use(FencedStack stack) {
		this.stack = stack.withCounter();
		this.stack.registry().register(RESOURCE, FencingTokens.of(1, 0), "earlier");
		this.leases.fallBackTo(2);
		this.a = new SteppedOwner(this.stack, LockRequest.of(RESOURCE));
		this.b = new SteppedOwner(this.stack, LockRequest.of(RESOURCE));
	}

	@AfterEach
	void close() {
		this.a.close();
		this.b.close();
		this.stack.close();
	}

	/**
	 * Register in the owner's open transaction, or at once if there is none.
	 * @param owner the owner
	 * @param comparison of the registered token with that of the owner
	 */
	void registersByHand(SteppedOwner owner, String comparison) {
		long token = token(owner);
		owner.updates("update FENCING_GENERATION set fencing_token = ?, owner = ? where resource_id = '" + RESOURCE
				+ "' and fencing_token " + comparison + " ?", token, owner(owner), token);
	}

	static long token(SteppedOwner owner) {
		return FencingTokens.of(owner.context().generation(), 0);
	}

	/**
	 * Return what a test that registers by hand calls an owner.
	 */
	static String owner(SteppedOwner owner) {
		return "owner-" + owner.context().generation();
	}

	void assertCounter(int expected) {
		assertThat(this.stack.counter()).isEqualTo(expected);
	}

	void assertStale(StaleGenerationException refusal, Rejection.Guard guard) {
		assertThat(refusal.getReason()).isEqualTo(Rejection.Reason.STALE);
		assertThat(refusal.getGuard()).isEqualTo(guard);
	}

}
