package dev.fencing.benchmark.startup;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;

import org.springframework.aop.framework.Advised;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

import dev.fencing.benchmark.process.LoadWorker;

/**
 * Writes what the start of this process has cost to its standard output, once it is
 * ready.
 */
final class StartupReport implements ApplicationListener<ApplicationReadyEvent> {

	/**
	 * From the start of the process until it is ready.
	 */
	static final String READY = "ms until ready";

	/**
	 * From the call of the application's {@code run} until it is ready.
	 */
	static final String SPRING = "ms of these in Spring";

	/**
	 * The processor time of all threads until it is ready.
	 */
	static final String PROCESSOR = "ms of processor";

	/**
	 * What is left on the heap, and what is used beside it.
	 */
	static final String MEMORY = "MB";

	/**
	 * What is left on the heap after a collection.
	 */
	static final String HEAP = "MB of heap";

	/**
	 * What is used beside the heap: by classes and by code that was compiled.
	 */
	static final String NON_HEAP = "MB beside it";

	/**
	 * The classes that were loaded.
	 */
	static final String CLASSES = "classes";

	/**
	 * The threads that were started.
	 */
	static final String THREADS = "threads";

	/**
	 * The beans that take locks.
	 */
	static final String LOCKED_BEANS = "locked beans";

	// By its name: it is not always on the class path
	private static final String ADVISOR = "dev.fencing.interceptor.FencedLockAdvisor";

	private static final double MEGABYTE = 1024 * 1024;

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		Map<String, Number> values = new LinkedHashMap<>();
		values.put(READY, System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime());
		values.put(SPRING, event.getTimeTaken().toMillis());
		values.put(PROCESSOR, processorMillis());
		putMemory(values);
		values.put(CLASSES, ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
		values.put(THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
		values.put(LOCKED_BEANS, lockedBeans(event.getApplicationContext()));
		values.forEach((column, value) -> LoadWorker.report(column + "=" + value));
	}

	private static long processorMillis() {
		OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
		return system.getProcessCpuTime() / 1_000_000;
	}

	private static void putMemory(Map<String, Number> values) {
		awaitBackground();
		MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
		for (int i = 0; i < 4; i++) {
			memory.gc();
		}
		double heap = memory.getHeapMemoryUsage().getUsed() / MEGABYTE;
		double nonHeap = memory.getNonHeapMemoryUsage().getUsed() / MEGABYTE;
		values.put(MEMORY, heap + nonHeap);
		values.put(HEAP, heap);
		values.put(NON_HEAP, nonHeap);
	}

	/**
	 * Count what is still being done beside the start as well: it is short, and does not
	 * say when it has ended.
	 */
	private static void awaitBackground() {
		try {
			Thread.sleep(1000);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static long lockedBeans(ApplicationContext context) {
		return context.getBeansOfType(Advised.class, false, false)
			.values()
			.stream()
			.filter((bean) -> Arrays.stream(bean.getAdvisors())
				.anyMatch((advisor) -> advisor.getClass().getName().equals(ADVISOR)))
			.count();
	}

	/**
	 * Read a line that was reported.
	 */
	static Map.Entry<String, Double> value(String line) {
		String[] parts = line.split("=", 2);
		return Map.entry(parts[0], Double.valueOf(parts[1]));
	}

}
