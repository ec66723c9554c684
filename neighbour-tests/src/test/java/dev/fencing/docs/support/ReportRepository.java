package dev.fencing.docs.support;

/**
 * Where reports are kept.
 */
public interface ReportRepository {

	/**
	 * Keep a report.
	 * @param report the report
	 * @return what is kept
	 */
	Object save(Object report);

}
