/**
 * One command that measures what fencing costs, beside what users would pick instead, and
 * writes a table.
 */
@NullMarked
package dev.fencing.benchmark;

import org.jspecify.annotations.NullMarked;
