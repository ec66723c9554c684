package dev.fencing.paused;

/**
 * How a payout goes through its items.
 */
enum Payout {

	/** Each item in a transaction of its own; the first failure ends it. */
	TRANSACTION_PER_ITEM,

	/** Each item in a transaction of its own; a failure is noted, the others go on. */
	TRANSACTION_PER_ITEM_WHATEVER_FAILS,

	/** All items in one transaction. */
	ONE_TRANSACTION

}
