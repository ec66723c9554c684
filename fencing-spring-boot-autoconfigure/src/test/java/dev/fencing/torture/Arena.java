package dev.fencing.torture;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.fencing.Rejection;

/**
 * Where a schedule runs: servers, workers, and what can be done to them.
 */
interface Arena extends AutoCloseable {

	List<? extends Worker> workers();

	Accounts accounts();

	/**
	 * Return whether the library is at work, and not a control.
	 */
	boolean isFenced();

	/**
	 * Return whether leases are exclusive for as long as nothing goes wrong, also on a
	 * slow machine.
	 */
	boolean hasReliableLeases();

	/**
	 * Return which leases should have been given back, now that no operation is under
	 * way.
	 * @return what to say of each of them
	 */
	List<String> forgottenLeases(List<Integer> accounts);

	/**
	 * Choose what is the same for a whole schedule.
	 * @return a name for it
	 */
	String prepare(RandomGenerator random);

	/**
	 * Return the faults to choose from, the likely ones several times.
	 */
	List<Fault> faults();

	/**
	 * Let something go wrong.
	 * @param fault what
	 * @param victim whom it concerns, if it is not for all
	 * @param random for what is open
	 * @return ends it; null if it cannot happen now
	 */
	@Nullable Runnable inject(Fault fault, Worker victim, RandomGenerator random);

	/**
	 * Wait until no worker does anything by itself any more: each of them has stopped,
	 * has ended or waits for another one, as far as can be told from here.
	 */
	void settle();

	/**
	 * Wait until something happens by itself, now that nothing else can be done.
	 */
	void await();

	/**
	 * Take back faults that have not happened yet, and see to it that leases run out that
	 * nobody will give back, if that would take long.
	 */
	void calm(List<Integer> accounts);

	/**
	 * Return within which time somebody has to get to work again when all faults are
	 * over.
	 */
	Duration recoveryTime();

	/**
	 * Return what was refused since the last call.
	 */
	List<Rejection> takeRejections();

	@Override
	void close();

}
