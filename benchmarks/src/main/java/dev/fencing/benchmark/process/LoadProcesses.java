package dev.fencing.benchmark.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.fencing.benchmark.Scale;
import dev.fencing.benchmark.server.BenchServers;

/**
 * The processes of one measurement, which use its Redis. None of them outlives it.
 *
 * @since 0.1.0
 */
public final class LoadProcesses implements AutoCloseable {

	private final Scale scale;

	private final String heap;

	private final List<LoadProcess> started = new ArrayList<>();

	private boolean compiledOnce;

	/**
	 * Create a set without processes.
	 * @param scale how much is done; never null
	 * @param heap how large the heap of each may become, such as {@code 256m}; never null
	 */
	public LoadProcesses(Scale scale, String heap) {
		this.scale = scale;
		this.heap = heap;
	}

	/**
	 * Have code compiled once only, by the quicker compiler, as is done where nothing is
	 * measured: for many processes that would otherwise spend most of the time with that.
	 * @return this
	 */
	public LoadProcesses compiledOnce() {
		this.compiledOnce = true;
		return this;
	}

	/**
	 * Start a process.
	 * @param mainClass its main class; never null
	 * @param arguments arguments for it; never null
	 * @return the process; never null
	 * @throws IOException if it cannot be started
	 */
	public LoadProcess start(Class<?> mainClass, Object... arguments) throws IOException {
		List<String> jvmArguments = new ArrayList<>(BenchServers.redisArguments());
		jvmArguments.add("-Xmx" + this.heap);
		if (this.scale.smoke() || this.compiledOnce) {
			jvmArguments.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
		}
		LoadProcess process = LoadProcess.start(mainClass, jvmArguments, arguments);
		this.started.add(process);
		return process;
	}

	/**
	 * Wait until all of them are ready: else the first one has the server to itself.
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void awaitReady() throws InterruptedException {
		for (LoadProcess process : this.started) {
			LoadWorker.awaitReady(process);
		}
	}

	/**
	 * Tell all of them what to do next.
	 * @param instruction the instruction; never null
	 */
	public void tell(Object instruction) {
		this.started.forEach((process) -> process.tell(instruction));
	}

	/**
	 * Wait until all of them have ended.
	 * @return what each has reported; never null
	 * @throws InterruptedException if the thread is interrupted
	 */
	public List<List<String>> lines() throws InterruptedException {
		List<List<String>> lines = new ArrayList<>();
		for (LoadProcess process : this.started) {
			lines.add(process.lines());
		}
		return lines;
	}

	@Override
	public void close() {
		this.started.forEach(LoadProcess::close);
	}

}
