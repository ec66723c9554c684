package dev.fencing.torture;

/**
 * Told where an owner has come to; returns when it may go on.
 */
interface Stops {

	void at(Stop stop);

}
