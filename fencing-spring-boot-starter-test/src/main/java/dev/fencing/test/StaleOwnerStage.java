package dev.fencing.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

import dev.fencing.autoconfigure.FencingProperties;
import dev.fencing.lease.LeaseProvider;

/**
 * The application in which runs take place.
 */
final class StaleOwnerStage {

	private final CurrentRun currentRun;

	private final WatchedDataSources dataSources;

	private final ObjectProvider<LeaseProvider> provider;

	private final ObjectProvider<TransactionManager> transactionManagers;

	private final Pattern ownTables;

	StaleOwnerStage(CurrentRun currentRun, WatchedDataSources dataSources, ObjectProvider<LeaseProvider> provider,
			ObjectProvider<TransactionManager> transactionManagers, FencingProperties properties) {
		this.currentRun = currentRun;
		this.dataSources = dataSources;
		this.provider = provider;
		this.transactionManagers = transactionManagers;
		this.ownTables = ownTables(properties.getJdbc().getTableName(), properties.getRejections().getTableName());
	}

	private static Pattern ownTables(String... names) {
		String words = Arrays.stream(names)
			.map((name) -> Pattern.quote(name.substring(name.lastIndexOf('.') + 1)))
			.collect(Collectors.joining("|"));
		return Pattern.compile("\\b(" + words + ")\\b", Pattern.CASE_INSENSITIVE);
	}

	/**
	 * Return whether a text mentions a table of this library.
	 */
	boolean isOwnTable(String text) {
		return this.ownTables.matcher(text).find();
	}

	StaleOwnerResult run(StaleOwner.Action first, StaleOwner.Script script) {
		Assert.state(!TransactionSynchronizationManager.isActualTransactionActive(), """
				The test runs in a transaction, inside which no lease is taken: annotate it with \
				@Transactional(propagation = Propagation.NOT_SUPPORTED), and delete what it leaves in the tables""");
		this.transactionManagers.forEach(this::follow);
		TableReader tables = new TableReader(this.dataSources.databases(), script.watched(), this::isOwnTable);
		tables.check();
		StaleOwnerRun run = new StaleOwnerRun(script, this.provider.getObject(), tables);
		this.currentRun.begin(run);
		try {
			return run.result(failureOf(first));
		}
		finally {
			this.currentRun.end();
		}
	}

	private static @Nullable Throwable failureOf(StaleOwner.Action first) {
		try {
			first.run();
			return null;
		}
		catch (Exception | AssertionError ex) {
			return ex;
		}
	}

	/**
	 * See the commits of a transaction manager before its guard does, which is its last
	 * listener.
	 */
	private void follow(TransactionManager manager) {
		if (manager instanceof ConfigurableTransactionManager configurable
				&& !configurable.getTransactionExecutionListeners().contains(this.currentRun)) {
			List<TransactionExecutionListener> listeners = new ArrayList<>();
			listeners.add(this.currentRun);
			listeners.addAll(configurable.getTransactionExecutionListeners());
			configurable.setTransactionExecutionListeners(listeners);
		}
	}

}
