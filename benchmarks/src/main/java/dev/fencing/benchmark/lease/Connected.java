package dev.fencing.benchmark.lease;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.fencing.benchmark.peer.Peer;
import dev.fencing.benchmark.peer.PeerKind;
import dev.fencing.benchmark.server.BenchServers;

/**
 * Opens the locks of a process that takes part in a measurement, and has them do once
 * what they will do then: that connects, and has the scripts loaded.
 */
final class Connected {

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

	private Connected() {
	}

	/**
	 * Open locks that nobody else wants.
	 */
	static Peer open(String kind, Duration leaseTime) {
		return prepared(kind, leaseTime, (peer) -> lock(peer, key("alone")));
	}

	/**
	 * Open locks that will be waited for.
	 */
	static Peer openToWait(String kind, Duration leaseTime) {
		return prepared(kind, leaseTime, (peer) -> {
			// Inside one process, some do not wait as they do for another one
			try (Peer other = open(kind, leaseTime)) {
				Peer.Held held = other.acquire(key("awaited"), LONGEST_WAIT);
				CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> lock(peer, key("awaited")));
				Pause.millis(50);
				held.release();
				waiting.join();
			}
		});
	}

	private static Peer prepared(String kind, Duration leaseTime, Consumer<Peer> preparation) {
		Peer peer = PeerKind.valueOf(kind).open(BenchServers.redisPort(), leaseTime);
		try {
			preparation.accept(peer);
			return peer;
		}
		catch (RuntimeException | Error ex) {
			peer.close();
			throw ex;
		}
	}

	private static void lock(Peer peer, String key) {
		peer.locked(key, LONGEST_WAIT, () -> {
		});
	}

	private static String key(String purpose) {
		return purpose + "-" + ProcessHandle.current().pid();
	}

}
