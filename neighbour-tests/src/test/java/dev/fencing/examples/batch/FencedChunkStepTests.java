package dev.fencing.examples.batch;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.JobExecution;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.job.parameters.JobParametersBuilder;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.StepExecution;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LeaseUnavailableException;
import dev.fencing.StaleGenerationException;
import dev.fencing.examples.batch.Invoices.Freeze;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.neighbour.TestDatabases;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A step that is frozen between its chunks, or within one, and whose lease has passed on.
 */
@Timeout(60)
class FencedChunkStepTests {

	private static final JobParameters PARAMETERS = new JobParametersBuilder().addString("month", "2026-11")
		.toJobParameters();

	private final ExecutorService executor = Executors.newSingleThreadExecutor();

	private ConfigurableApplicationContext context;

	private JdbcTemplate jdbc;

	@BeforeEach
	void start() {
		this.context = new SpringApplicationBuilder(InvoiceJob.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + TestDatabases.postgres(), "--fencing.provider=memory",
					"--fencing.jdbc.initialize-schema=always", "--spring.batch.jdbc.initialize-schema=always",
					"--spring.batch.job.enabled=false", "--spring.flyway.enabled=false",
					"--spring.liquibase.enabled=false", "--spring.main.banner-mode=off");
		this.jdbc = this.context.getBean(JdbcTemplate.class);
		this.jdbc.execute("""
				create table invoice (id bigint primary key, sent int not null default 0,
				checked boolean not null default false, fencing_token bigint not null default 0)""");
		this.jdbc.update("insert into invoice (id) select generate_series(1, 6)");
	}

	@AfterEach
	void stop() {
		this.executor.shutdownNow();
		this.context.close();
	}

	@Test
	void allChunksCommitUnderOneGeneration() throws Exception {
		JobExecution execution = run("sendInvoices");
		assertThat(execution.getStatus()).isEqualTo(BatchStatus.COMPLETED);
		assertThat(sent()).containsExactly(1, 1, 1, 1, 1, 1);
		assertThat(this.jdbc.queryForList("select distinct fencing_token / 1000000 from invoice", Long.class))
			.hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(Freeze.class)
	void chunkIsRefusedAfterASuccessorTookOverAndTheRestartGoesOnThere(Freeze freeze) throws Exception {
		JobExecution execution = runFrozen("sendInvoices", freeze);
		assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
		assertThat(execution.getAllFailureExceptions()).singleElement()
			.satisfies(
					(failure) -> assertThat(failure).hasStackTraceContaining(StaleGenerationException.class.getName()));
		assertThat(sent()).containsExactly(1, 1, 0, 0, 0, 0);
		StepExecution stored = stored(execution);
		assertThat(stored.getStatus()).isEqualTo(BatchStatus.FAILED);
		assertThat(stored.getCommitCount()).isOne();
		assertThat(stored.getWriteCount()).isEqualTo(2);
		assertThat(run("sendInvoices").getStatus()).isEqualTo(BatchStatus.COMPLETED);
		assertThat(sent()).containsExactly(1, 1, 1, 1, 1, 1);
	}

	@Test
	void stepFailsWhileAnotherOwnerHasTheLeaseAndCanBeRunLater() throws Exception {
		FencedLockTemplate leases = this.context.getBean(FencedLockTemplate.class);
		JobExecution execution = leases.execute(InvoiceJob.LOCK.leaseTime(Duration.ofMinutes(1)).maxHold(null),
				(lease) -> launch("sendInvoices").get());
		assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
		assertThat(execution.getAllFailureExceptions()).singleElement().isInstanceOf(LeaseUnavailableException.class);
		assertThat(stored(execution).getStatus()).isEqualTo(BatchStatus.FAILED);
		assertThat(run("sendInvoices").getStatus()).isEqualTo(BatchStatus.COMPLETED);
	}

	@ParameterizedTest
	@EnumSource(Freeze.class)
	void leaseAroundAllOfTheStepIsSafeButLeavesItsStateUnknown(Freeze freeze) throws Exception {
		JobExecution execution = runFrozen("naive", freeze);
		assertThat(sent()).containsExactly(1, 1, 0, 0, 0, 0);
		assertThat(execution.getStatus()).isEqualTo(BatchStatus.UNKNOWN);
		assertThat(stored(execution).getStatus()).isEqualTo(BatchStatus.STARTED);
	}

	@Test
	void taskletIsRefusedAfterASuccessorTookOverAndCanBeRunLater() throws Exception {
		JobExecution execution = runFrozen("closeInvoices", Freeze.BEFORE_THE_COMMIT);
		assertThat(execution.getStatus()).isEqualTo(BatchStatus.FAILED);
		assertThat(stored(execution).getStatus()).isEqualTo(BatchStatus.FAILED);
		assertThat(sent()).containsExactly(0, 0, 0, 0, 0, 0);
		assertThat(run("closeInvoices").getStatus()).isEqualTo(BatchStatus.COMPLETED);
		assertThat(sent()).containsExactly(1, 0, 1, 0, 0, 0);
	}

	private JobExecution runFrozen(String job, Freeze freeze) throws Exception {
		Invoices invoices = this.context.getBean(Invoices.class);
		invoices.freezeOnce(freeze);
		Future<JobExecution> execution = launch(job);
		invoices.awaitFrozen();
		FencedJdbcTemplate fencedJdbc = this.context.getBean(FencedJdbcTemplate.class);
		this.context.getBean(FencedLockTemplate.class)
			.executeWithoutResult(InvoiceJob.LOCK.waitTime(Duration.ofSeconds(20)),
					(successor) -> fencedJdbc.update(freeze.successor()));
		invoices.resume();
		return execution.get(30, TimeUnit.SECONDS);
	}

	private JobExecution run(String job) throws Exception {
		return launch(job).get(30, TimeUnit.SECONDS);
	}

	private Future<JobExecution> launch(String job) {
		JobOperator operator = this.context.getBean(JobOperator.class);
		return this.executor.submit(() -> operator.start(this.context.getBean(job, Job.class), PARAMETERS));
	}

	private StepExecution stored(JobExecution execution) {
		StepExecution step = execution.getStepExecutions().iterator().next();
		return this.context.getBean(JobRepository.class).getStepExecution(step.getId());
	}

	private List<Integer> sent() {
		return this.jdbc.queryForList("select sent from invoice order by id", Integer.class);
	}

}
