/**
 * Our tables as migrations of Flyway and Liquibase.
 */
@NullMarked
package dev.fencing.neighbour.migration;

import org.jspecify.annotations.NullMarked;
