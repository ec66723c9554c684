package dev.fencing.paused;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

import org.springframework.stereotype.Component;

import dev.fencing.LeaseProviderException;

/**
 * What a worker can be told to do.
 */
@Component
class WorkerCommands {

	private final WorkerConsole console;

	private final Pauses pauses;

	private final JdbcDocuments jdbcDocuments;

	private final EntityDocuments entityDocuments;

	private final Payouts payouts;

	WorkerCommands(WorkerConsole console, Pauses pauses, JdbcDocuments jdbcDocuments, EntityDocuments entityDocuments,
			Payouts payouts) {
		this.console = console;
		this.pauses = pauses;
		this.jdbcDocuments = jdbcDocuments;
		this.entityDocuments = entityDocuments;
		this.payouts = payouts;
	}

	/**
	 * The command that appends to the title of a document.
	 * @param writes how to write
	 * @param id which document
	 * @param text what to append
	 * @param points where to pause
	 * @return the line to send
	 */
	static String append(Writes writes, long id, String text, PausePoint... points) {
		return "append %s %d %s %s".formatted(writes, id, text, joined(points));
	}

	/**
	 * The command that pays a batch.
	 * @param writes how to write
	 * @param batch which batch
	 * @param payer who pays
	 * @param payout how to go through the items
	 * @param pauseItem at which item to pause; 0 for none
	 * @return the line to send
	 */
	static String pay(Writes writes, long batch, String payer, Payout payout, int pauseItem) {
		return "pay %s %d %s %s %d".formatted(writes, batch, payer, payout, pauseItem);
	}

	private static String joined(PausePoint... points) {
		return String.join(",", Arrays.stream(points).map(Enum::name).toList());
	}

	void run(String line) {
		try {
			this.console.tell("done " + run(line.split(" ")));
		}
		catch (RuntimeException ex) {
			this.console.tell("failed " + ex.getClass().getName() + ": " + ex.getMessage());
		}
	}

	private long run(String[] words) {
		while (true) {
			try {
				return switch (words[0]) {
					case "append" -> append(words);
					case "pay" -> pay(words);
					default -> throw new IllegalArgumentException("No such command: " + words[0]);
				};
			}
			catch (LeaseProviderException ex) {
				// On a busy machine a short lease may be over before Redis has answered:
				// nothing was done yet
			}
		}
	}

	private long append(String[] words) {
		Writes writes = Writes.valueOf(words[1]);
		long id = Long.parseLong(words[2]);
		this.pauses.set((words.length > 4) ? points(words[4]) : Set.of(), 0);
		return switch (writes) {
			case PLAIN_JDBC -> this.jdbcDocuments.append(id, words[3], false);
			case FENCED_JDBC -> this.jdbcDocuments.append(id, words[3], true);
			case ENTITY -> this.entityDocuments.append(id, words[3], false);
			case FLUSHED_ENTITY -> this.entityDocuments.append(id, words[3], true);
		};
	}

	private long pay(String[] words) {
		this.pauses.set(EnumSet.of(PausePoint.BEFORE_PAYMENT), Integer.parseInt(words[5]));
		return this.payouts.pay(Long.parseLong(words[2]), words[3], Writes.valueOf(words[1]), Payout.valueOf(words[4]));
	}

	private static Set<PausePoint> points(String names) {
		Set<PausePoint> points = EnumSet.noneOf(PausePoint.class);
		for (String name : names.split(",")) {
			points.add(PausePoint.valueOf(name));
		}
		return points;
	}

}
