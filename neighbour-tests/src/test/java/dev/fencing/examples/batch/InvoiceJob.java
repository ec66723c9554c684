package dev.fencing.examples.batch;

import java.time.Duration;

import javax.sql.DataSource;

import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.core.step.item.ChunkOrientedStep;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.database.JdbcCursorItemReader;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.batch.infrastructure.repeat.support.RepeatTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

import dev.fencing.FencedLockTemplate;
import dev.fencing.FencingContext;
import dev.fencing.LockRequest;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * A job that sends invoices, two at a time, under one lease.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class InvoiceJob {

	/**
	 * The lease ends after a moment, so that a successor need not wait for long.
	 */
	static final LockRequest LOCK = LockRequest.of("invoices")
		.leaseTime(Duration.ofMillis(500))
		.maxHold(Duration.ofMillis(500));

	@Bean
	Invoices invoices(FencedJdbcTemplate fencedJdbc) {
		return new Invoices(fencedJdbc);
	}

	@Bean
	JdbcCursorItemReader<Long> reader(DataSource dataSource) {
		return new JdbcCursorItemReader<>(dataSource, "select id from invoice order by id",
				(row, number) -> row.getLong(1)) {

			@Override
			public void open(ExecutionContext executionContext) {
				FencingContext.require("invoices", null);
				super.open(executionContext);
			}

		};
	}

	@Bean
	FencedChunkStep<Long, Long> send(JdbcCursorItemReader<Long> reader, Invoices invoices, JobRepository jobRepository,
			PlatformTransactionManager transactionManager, FencedLockTemplate leases) {
		FencedChunkStep<Long, Long> step = new FencedChunkStep<>("send", 2, reader, invoices, jobRepository, leases,
				LOCK);
		step.setTransactionManager(transactionManager);
		return step;
	}

	@Bean
	Job sendInvoices(JobRepository jobRepository, FencedChunkStep<Long, Long> send) {
		return new JobBuilder("sendInvoices", jobRepository).start(send).build();
	}

	@Bean
	Job closeInvoices(JobRepository jobRepository, PlatformTransactionManager transactionManager,
			FencedLockTemplate leases, Invoices invoices) {
		return new JobBuilder("closeInvoices", jobRepository)
			.start(new StepBuilder("close", jobRepository).tasklet((contribution, chunk) -> {
				invoices.write(Chunk.of(1L, 3L));
				return RepeatStatus.FINISHED;
			}, transactionManager)
				.stepOperations((callback) -> leases.execute(LOCK, (context) -> new RepeatTemplate().iterate(callback)))
				.build())
			.build();
	}

	/**
	 * What not to do: the lease is around all of the step, with what it notes in the job
	 * repository.
	 */
	@Bean
	Job naive(JobRepository jobRepository, JdbcCursorItemReader<Long> reader, Invoices invoices,
			PlatformTransactionManager transactionManager, FencedLockTemplate leases) throws Exception {
		ChunkOrientedStep<Long, Long> step = new ChunkOrientedStep<>("naive", 2, reader, invoices, jobRepository);
		step.setTransactionManager(transactionManager);
		step.afterPropertiesSet();
		return new JobBuilder("naive", jobRepository).start(new Step() {

			@Override
			public String getName() {
				return step.getName();
			}

			@Override
			public void execute(StepExecution stepExecution) {
				leases.executeWithoutResult(LOCK, (context) -> {
					try {
						step.execute(stepExecution);
					}
					catch (Exception ex) {
						throw new IllegalStateException(ex);
					}
				});
			}

		}).build();
	}

}
