/**
 * Leases under load, with many owners in several processes: more than JMH can set up.
 */
package dev.fencing.lease;
