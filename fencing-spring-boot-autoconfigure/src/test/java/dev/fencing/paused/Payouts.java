package dev.fencing.paused;

import java.util.function.IntConsumer;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.FencedLock;
import dev.fencing.FencingContext;
import dev.fencing.StaleGenerationException;
import dev.fencing.jdbc.FencedJdbcTemplate;

/**
 * Pays the items of a batch that are not paid yet, under one lease.
 */
@Service
class Payouts {

	static final int ITEMS = 20;

	private static final String COUNT = "select count(*) from payment where batch = ? and item = ?";

	private static final String INSERT = "insert into payment (batch, item, payer) values (?, ?, ?)";

	private final JdbcTemplate jdbc;

	private final FencedJdbcTemplate fencedJdbc;

	private final PaymentRepository payments;

	private final Pauses pauses;

	private final TransactionTemplate jdbcTransaction;

	private final TransactionTemplate jpaTransaction;

	Payouts(JdbcTemplate jdbc, FencedJdbcTemplate fencedJdbc, PaymentRepository payments, Pauses pauses,
			@Qualifier(WorkerApplication.JDBC) PlatformTransactionManager jdbcManager,
			PlatformTransactionManager jpaManager) {
		this.jdbc = jdbc;
		this.fencedJdbc = fencedJdbc;
		this.payments = payments;
		this.pauses = pauses;
		this.jdbcTransaction = new TransactionTemplate(jdbcManager);
		this.jpaTransaction = new TransactionTemplate(jpaManager);
	}

	@FencedLock(name = "payout", key = "#batch")
	public long pay(long batch, String payer, Writes writes, Payout payout) {
		TransactionTemplate transaction = (writes == Writes.ENTITY) ? this.jpaTransaction : this.jdbcTransaction;
		IntConsumer pay = (item) -> pay(batch, item, payer, writes);
		IntConsumer payAlone = (item) -> transaction.executeWithoutResult((status) -> pay.accept(item));
		switch (payout) {
			case ONE_TRANSACTION -> transaction.executeWithoutResult((status) -> forEachItem(pay));
			case TRANSACTION_PER_ITEM -> forEachItem(payAlone);
			case TRANSACTION_PER_ITEM_WHATEVER_FAILS -> forEachItemWhateverFails(payAlone);
		}
		return FencingContext.require().generation();
	}

	private static void forEachItem(IntConsumer pay) {
		IntStream.rangeClosed(1, ITEMS).forEach(pay);
	}

	private static void forEachItemWhateverFails(IntConsumer pay) {
		StaleGenerationException[] last = new @Nullable StaleGenerationException[1];
		forEachItem((item) -> {
			try {
				pay.accept(item);
			}
			catch (StaleGenerationException ex) {
				last[0] = ex;
			}
		});
		if (last[0] != null) {
			throw last[0];
		}
	}

	private void pay(long batch, int item, String payer, Writes writes) {
		if (isPaid(batch, item, writes)) {
			return;
		}
		this.pauses.atItem(PausePoint.BEFORE_PAYMENT, item);
		switch (writes) {
			case PLAIN_JDBC -> this.jdbc.update(INSERT, batch, item, payer);
			case FENCED_JDBC -> this.fencedJdbc.update(INSERT, batch, item, payer);
			case ENTITY, FLUSHED_ENTITY -> this.payments.saveAndFlush(new Payment(batch, item, payer));
		}
	}

	private boolean isPaid(long batch, int item, Writes writes) {
		if (writes == Writes.ENTITY) {
			return this.payments.existsByBatchAndItem(batch, item);
		}
		Integer payments = this.jdbc.queryForObject(COUNT, Integer.class, batch, item);
		return payments != null && payments > 0;
	}

}
