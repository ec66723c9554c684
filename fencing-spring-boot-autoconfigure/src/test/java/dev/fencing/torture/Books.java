package dev.fencing.torture;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the database says in the end.
 *
 * @param accounts the protected rows
 * @param applied which operation was applied to which account
 * @param journal registrations and commits, in their order
 */
record Books(List<Account> accounts, List<Applied> applied, List<Entry> journal) {

	record Account(int id, int amount, String entries) {
	}

	record Applied(int operation, int part, int account) {
	}

	/**
	 * A registration or a commit.
	 *
	 * @param resource the resource
	 * @param registered the token that was registered; null for a commit
	 * @param operation the operation that was committed; null for a registration
	 * @param owner whose it was
	 */
	record Entry(String resource, @Nullable Long registered, @Nullable Integer operation, String owner) {
	}

}
