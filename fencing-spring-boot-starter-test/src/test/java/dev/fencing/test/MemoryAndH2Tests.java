package dev.fencing.test;

/**
 * Leases in memory, and an embedded database.
 */
@AutoConfigureFencing
class MemoryAndH2Tests extends AbstractStaleOwnerTests {

}
