package dev.fencing.docs.support;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;

/**
 * Has a template, and no annotation.
 */
public final class ReportService {

	private final FencedLockTemplate locks;

	private final ReportRepository repository;

	public ReportService(FencedLockTemplate locks, ReportRepository repository) {
		this.locks = locks;
		this.repository = repository;
	}

	/**
	 * Write the report.
	 * @param month of which
	 */
	public void write(String month) {
		this.locks.executeWithoutResult(LockRequest.of("report").key(month), (context) -> this.repository.save(month));
	}

}
