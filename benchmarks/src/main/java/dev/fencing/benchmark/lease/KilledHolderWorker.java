package dev.fencing.benchmark.lease;

import java.time.Duration;

import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.process.LoadWorker;

/**
 * A process that holds a lock or waits for it, as it is told, until it is killed.
 *
 * @since 0.1.0
 */
public final class KilledHolderWorker {

	/**
	 * Take the lock, report its Redis key, and keep it.
	 */
	static final String HOLD = "hold";

	/**
	 * Wait for the lock, report when the wait was over, and give it back.
	 */
	static final String WAIT = "wait";

	private static final String KEY = "killed";

	private KilledHolderWorker() {
	}

	/**
	 * Do as told.
	 * @param args whose lock, lease time and longest wait in milliseconds
	 */
	public static void main(String[] args) {
		Duration wait = Duration.ofMillis(Long.parseLong(args[2]));
		try (Peer peer = Connected.openToWait(args[0], Duration.ofMillis(Long.parseLong(args[1])))) {
			String instruction = LoadWorker.ready();
			while (true) {
				switch (instruction) {
					case HOLD -> {
						peer.acquire(KEY, wait);
						LoadWorker.report(peer.redisKey(KEY));
					}
					case WAIT -> LoadWorker.report(endOfWait(peer, wait));
					default -> throw new IllegalArgumentException(instruction);
				}
				instruction = LoadWorker.instruction();
			}
		}
	}

	private static long endOfWait(Peer peer, Duration wait) {
		long asked = System.nanoTime();
		try {
			Peer.Held held = peer.acquire(KEY, wait);
			long granted = System.nanoTime();
			held.release();
			return granted;
		}
		catch (IllegalStateException ex) {
			long gaveUp = System.nanoTime();
			if (gaveUp - asked < wait.toNanos()) {
				throw ex;
			}
			return gaveUp;
		}
	}

}
