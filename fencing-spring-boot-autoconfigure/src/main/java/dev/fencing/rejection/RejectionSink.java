package dev.fencing.rejection;

import java.time.Instant;
import java.util.List;

/**
 * Where a {@link RejectionWriter} stores rejections. It is called by the writer's thread
 * only, and may take its time.
 *
 * @since 0.1.0
 */
public interface RejectionSink {

	/**
	 * Store rejections: all of them, unless it fails. A single entry whose key is stored
	 * already is left as it is: the writer repeats what it does not know the outcome of.
	 * @param entries what to store, the oldest first; never empty
	 * @throws RejectionSinkUnavailableException if nothing can be stored now, whatever it
	 * is: the writer comes again with the same entries
	 * @throws RuntimeException if one of the entries cannot be stored: the writer comes
	 * again with each by itself, and drops the one that fails then
	 */
	void write(List<RejectionEntry> entries);

	/**
	 * Delete old rejections, of all instances.
	 * @param time those from before it
	 * @param atMost how many at most
	 * @return how many were deleted
	 * @throws RuntimeException if they cannot be deleted
	 */
	int deleteBefore(Instant time, int atMost);

}
