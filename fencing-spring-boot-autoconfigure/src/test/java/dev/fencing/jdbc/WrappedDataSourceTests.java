package dev.fencing.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import dev.fencing.LockRequest;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.lease.InMemoryLeaseProvider;
import dev.fencing.testsupport.FencedStack;
import dev.fencing.testsupport.Persistence;
import dev.fencing.testsupport.Tally;
import dev.fencing.testsupport.TestDatabase;
import dev.fencing.testsupport.Wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The fenced data source and that of a transaction manager may be different objects for
 * the same database: its transactions are guarded all the same. Those of another database
 * are left alone.
 */
class WrappedDataSourceTests {

	private static final LockRequest REQUEST = LockRequest.of("tally");

	private final InMemoryLeaseProvider provider = new InMemoryLeaseProvider();

	private final HikariDataSource pool = TestDatabase.POSTGRESQL.pool();

	private FencedStack stack;

	private Persistence persistence;

	@AfterEach
	void close() {
		assertThat(this.provider.find("tally")).isNull();
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
		this.persistence.close();
		this.stack.close();
	}

	static Stream<Arguments> wrappers() {
		return Stream.concat(
				Arrays.stream(Wrapper.values())
					.flatMap((wrapper) -> Stream.of(Arguments.of(wrapper, Wrapper.NONE, Persistence.Kind.JDBC),
							Arguments.of(Wrapper.NONE, wrapper, Persistence.Kind.JDBC),
							Arguments.of(wrapper, wrapper, Persistence.Kind.JDBC))),
				Stream.of(Arguments.of(Wrapper.NONE, Wrapper.OPAQUE, Persistence.Kind.JPA),
						Arguments.of(Wrapper.OPAQUE, Wrapper.NONE, Persistence.Kind.JPA),
						Arguments.of(Wrapper.NONE, Wrapper.LAZY, Persistence.Kind.JPA),
						Arguments.of(Wrapper.LAZY, Wrapper.NONE, Persistence.Kind.JPA)));
	}

	@ParameterizedTest
	@MethodSource("wrappers")
	void staleOwnerIsRefusedAndTheCurrentOneIsNot(Wrapper fenced, Wrapper managed, Persistence.Kind kind) {
		use(fenced, kind, managed.around(this.pool));
		assertGuarded();
	}

	@ParameterizedTest
	@EnumSource
	void controlWithoutGuardIsCommitted(Wrapper fenced) {
		open(fenced);
		this.persistence = Persistence.Kind.JDBC.on(this.pool);
		incrementAsStaleOwner();
		assertThat(this.persistence.amount()).isOne();
	}

	@Test
	void transactionBeforeTheFirstLeaseDecidesNothing() {
		use(Wrapper.NONE, Persistence.Kind.JDBC, Wrapper.OPAQUE.around(this.pool));
		transaction().executeWithoutResult((status) -> {
		});
		assertGuarded();
	}

	@Test
	void dataSourceThatRoutesIsAskedEachTime() {
		try (HikariDataSource other = TestDatabase.POSTGRESQL.pool()) {
			AtomicReference<String> route = new AtomicReference<>("other");
			AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
				@Override
				protected Object determineCurrentLookupKey() {
					return route.get();
				}
			};
			routing.setTargetDataSources(Map.of("other", other, "fenced", this.pool));
			routing.afterPropertiesSet();
			Tally.createTable(new JdbcTemplate(other));
			use(Wrapper.NONE, Persistence.Kind.JDBC, routing);
			incrementAsStaleOwner();
			assertThat(this.persistence.amount()).isOne();
			route.set("fenced");
			assertGuarded();
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NAMELESS")
	void transactionOnAnotherDatabaseIsLeftAlone(Wrapper managed) {
		try (HikariDataSource other = TestDatabase.POSTGRESQL.pool()) {
			Tally.createTable(new JdbcTemplate(other));
			use(Wrapper.NONE, Persistence.Kind.JDBC, managed.around(other));
			incrementAsStaleOwner();
			assertThat(this.persistence.amount()).isOne();
			assertThat(this.stack.rejections()).isEmpty();
			assertThat(other.getHikariPoolMXBean().getActiveConnections()).isZero();
		}
	}

	@Test
	void transactionOnAnotherDatabaseInsideOneOnTheFencedOne() {
		try (HikariDataSource other = TestDatabase.POSTGRESQL.pool();
				Persistence elsewhere = Persistence.Kind.JDBC.on(other)) {
			Tally.createTable(new JdbcTemplate(other));
			use(Wrapper.NONE, Persistence.Kind.JDBC, this.pool);
			this.stack.guard(elsewhere.manager());
			TransactionTemplate inner = new TransactionTemplate(elsewhere.manager());
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST, (context) -> transaction().executeWithoutResult((status) -> {
					this.persistence.increment();
					this.stack.takeOver(context);
					inner.executeWithoutResult((innerStatus) -> elsewhere.increment());
				})));
			assertThat(this.persistence.amount()).isZero();
			assertThat(elsewhere.amount()).isOne();
		}
	}

	@Test
	void transactionOfWhichNobodyCanTellTheDatabaseIsRefusedAtItsEnd() {
		use(Wrapper.NONE, Persistence.Kind.JDBC, Wrapper.OPAQUE.around(new DelegatingDataSource(this.pool) {
			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = Mockito.spy(super.getConnection());
				Mockito.doThrow(new SQLException("No metadata")).when(connection).getMetaData();
				return connection;
			}
		}));
		assertThatExceptionOfType(UnguardableStatementException.class)
			.isThrownBy(() -> this.stack.locks()
				.executeWithoutResult(REQUEST,
						(context) -> transaction().executeWithoutResult((status) -> this.persistence.increment())))
			.withMessageContaining("which database")
			.withStackTraceContaining("No metadata");
		transaction().executeWithoutResult((status) -> this.persistence.increment());
		assertThat(this.persistence.amount()).isOne();
	}

	@Test
	void connectionThatCommitsEachStatementIsRefused() {
		use(Wrapper.NONE, Persistence.Kind.JDBC, new DelegatingDataSource(this.pool) {
			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = Mockito.spy(super.getConnection());
				Mockito.doReturn(true).when(connection).getAutoCommit();
				Mockito.doNothing().when(connection).setAutoCommit(false);
				Mockito.doNothing().when(connection).rollback();
				return connection;
			}
		});
		assertThatExceptionOfType(UnguardableStatementException.class).isThrownBy(() -> this.stack.locks()
			.executeWithoutResult(REQUEST, (context) -> transaction().executeWithoutResult((status) -> {
			}))).withMessageContaining("commits each statement on its own");
	}

	private void assertGuarded() {
		int before = this.persistence.amount();
		assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(this::incrementAsStaleOwner);
		assertThat(this.persistence.amount()).isEqualTo(before);
		assertThat(this.stack.rejections()).hasSize(1);
		this.stack.jdbc().update("delete from FENCING_GENERATION");
		this.stack.locks()
			.executeWithoutResult(REQUEST,
					(context) -> transaction().executeWithoutResult((status) -> this.persistence.increment()));
		assertThat(this.persistence.amount()).isEqualTo(before + 1);
	}

	private void incrementAsStaleOwner() {
		this.stack.locks().executeWithoutResult(REQUEST, (context) -> transaction().executeWithoutResult((status) -> {
			this.persistence.increment();
			this.stack.takeOver(context);
		}));
	}

	private void use(Wrapper fenced, Persistence.Kind kind, DataSource managed) {
		open(fenced);
		this.persistence = kind.on(managed);
		this.stack.guard(this.persistence.manager());
	}

	private void open(Wrapper fenced) {
		this.stack = FencedStack.on(this.pool, TestDatabase.POSTGRESQL, fenced::around, this.provider);
		Tally.createTable(this.stack.jdbc());
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.persistence.manager());
	}

}
