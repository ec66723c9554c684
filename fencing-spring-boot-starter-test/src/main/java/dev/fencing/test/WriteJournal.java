package dev.fencing.test;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What was committed on the side of a first owner after its lease had passed on. Tells
 * what it has left where tables cannot be compared, since its successor was still under
 * way.
 */
final class WriteJournal {

	private final List<Write> committed = new CopyOnWriteArrayList<>();

	void committed(List<String> statements) {
		String thread = Thread.currentThread().getName();
		statements.forEach((sql) -> this.committed.add(new Write(sql, thread)));
	}

	Leftovers leftovers() {
		return new Leftovers() {

			@Override
			public List<String> all() {
				return WriteJournal.this.committed.stream().map(Write::toString).toList();
			}

			@Override
			public List<String> in(String table) {
				return WriteJournal.this.committed.stream()
					.filter((write) -> write.mayChange(table))
					.map(Write::toString)
					.toList();
			}

		};
	}

	/**
	 * A statement that was committed.
	 *
	 * @param sql its text
	 * @param thread the name of the thread that ran it
	 */
	private record Write(String sql, String thread) {

		/**
		 * Return whether it changes a table. Of what is no plain statement, nobody knows.
		 */
		boolean mayChange(String table) {
			String text = this.sql.toLowerCase(Locale.ROOT);
			return text.contains(table.toLowerCase(Locale.ROOT)) || !text.matches("(?s)\\s*(insert|update|delete).*");
		}

		@Override
		public String toString() {
			return "committed by thread '%s': %s".formatted(this.thread, this.sql);
		}

	}

}
