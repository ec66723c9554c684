package dev.fencing.examples.batch;

import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.item.ChunkOrientedStep;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemReader;
import org.springframework.batch.infrastructure.item.ItemWriter;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;

/**
 * A chunk-oriented step under one lease, from its first read to its last commit. What
 * Spring Batch notes before and after it in the job repository is outside of the lease,
 * so that a failure can be noted also when a later owner has taken over.
 *
 * @param <I> what is read
 * @param <O> what is written
 */
public class FencedChunkStep<I, O> extends ChunkOrientedStep<I, O> {

	private final FencedLockTemplate leases;

	private final LockRequest lock;

	public FencedChunkStep(String name, int chunkSize, ItemReader<I> reader, ItemWriter<O> writer,
			JobRepository jobRepository, FencedLockTemplate leases, LockRequest lock) {
		super(name, chunkSize, reader, writer, jobRepository);
		this.leases = leases;
		this.lock = lock;
	}

	@Override
	protected void open(ExecutionContext executionContext) {
		// Not before the lease: the query of a cursor runs when it is opened
	}

	@Override
	protected void doExecute(StepExecution stepExecution) throws Exception {
		try {
			this.leases.<Boolean, Exception>execute(this.lock, (context) -> {
				super.open(stepExecution.getExecutionContext());
				super.doExecute(stepExecution);
				return true;
			});
		}
		catch (Exception ex) {
			forgetWhatWasRolledBack(stepExecution);
			throw ex;
		}
	}

	/**
	 * A commit that is refused leaves the position of the rolled-back chunk in memory: a
	 * restart would go on behind it.
	 */
	private void forgetWhatWasRolledBack(StepExecution stepExecution) {
		StepExecution stored = getJobRepository().getStepExecution(stepExecution.getId());
		stepExecution.setVersion(stored.getVersion());
		stepExecution.setExecutionContext(stored.getExecutionContext());
		stepExecution.setCommitCount(stored.getCommitCount());
		stepExecution.setReadCount(stored.getReadCount());
		stepExecution.setWriteCount(stored.getWriteCount());
	}

}
