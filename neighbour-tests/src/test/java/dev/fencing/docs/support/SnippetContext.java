package dev.fencing.docs.support;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.redisson.api.RedissonClient;

import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.tasklet.Tasklet;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mail.MailSender;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLockTemplate;
import dev.fencing.LockRequest;
import dev.fencing.jdbc.FencedJdbcClient;
import dev.fencing.jdbc.FencedJdbcTemplate;
import dev.fencing.jdbc.FencedNamedParameterJdbcTemplate;
import dev.fencing.test.StaleOwner;

/**
 * The class around a snippet that is not one itself. Everything in it has the name that
 * the text around the snippet gives it. It is only compiled.
 */
public abstract class SnippetContext {

	// Our beans

	protected FencedJdbcTemplate fencedJdbc;

	protected FencedNamedParameterJdbcTemplate fencedNamedJdbc;

	protected FencedJdbcClient fencedJdbcClient;

	protected FencedLockTemplate fencedLockTemplate;

	protected FencedLockTemplate leases;

	protected StaleOwner staleOwner;

	// Beans of others

	protected JdbcTemplate jdbc;

	protected TransactionTemplate transaction;

	protected PlatformTransactionManager transactionManager;

	protected StringRedisTemplate redis;

	protected RedisScript<Long> compareAndDelete;

	protected RedissonClient redisson;

	protected MailSender mailSender;

	protected JobRepository jobRepository;

	protected Tasklet tasklet;

	// The application

	protected Documents documents;

	protected DocumentWriter writer;

	protected ReportRepository repository;

	protected AtomicInteger alarms;

	protected List<Runnable> steps;

	protected SimpleMailMessage message;

	// What the code was called with

	protected LockRequest lock;

	protected long id;

	protected List<Long> ids;

	protected String title;

	protected int version;

	protected long from;

	protected long to;

	protected long amount;

	protected void transfer(long from, long to, long amount) {
		throw new UnsupportedOperationException("Only compiled");
	}

}
