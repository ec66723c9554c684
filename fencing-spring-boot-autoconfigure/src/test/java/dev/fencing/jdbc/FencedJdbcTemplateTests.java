package dev.fencing.jdbc;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.fencing.LockRequest;
import dev.fencing.NoFencedLeaseException;
import dev.fencing.Rejection;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;
import dev.fencing.testsupport.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link FencedJdbcTemplate} on real databases.
 */
class FencedJdbcTemplateTests extends AbstractParcelTests {

	private static final String UPDATE = "update parcel set state = ? where id = ?";

	private final TestDatabase database;

	private final FencedJdbcTemplate fencedJdbc;

	FencedJdbcTemplateTests(TestDatabase database) {
		this.database = database;
		this.fencedJdbc = parcels.fencedJdbc();
	}

	@Test
	void ownerWritesOneRowManyTimesInOneTransactionAndInSeveral() {
		parcels.under(7, () -> {
			parcels.inTransaction(() -> {
				for (int i = 0; i < 10; i++) {
					assertThat(this.fencedJdbc.update(UPDATE, "PACKED" + i, 1)).isEqualTo(1);
				}
			});
			for (int i = 0; i < 10; i++) {
				assertThat(this.fencedJdbc.update(UPDATE, "SENT" + i, 1)).isEqualTo(1);
			}
		});
		assertThat(parcels.state(1)).isEqualTo("SENT9");
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void olderOwnerIsRefusedByTheRow() {
		parcels.under(6, () -> {
			parcels.elsewhere(7, () -> this.fencedJdbc.update(UPDATE, "SENT", 1));
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "LOST", 1))
				.satisfies((ex) -> {
					assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.ROW);
					assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE);
					assertThat(ex.getRejectedToken()).isEqualTo(6_000_001);
					assertThat(ex.getAcceptedToken()).isEqualTo(7_000_001);
				});
		});
		assertThat(parcels.state(1)).isEqualTo("SENT");
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.rejections()).hasSize(1);
	}

	@Test
	void copyOfAnEarlierStatementOfTheSameOwnerIsRefusedAsStale() {
		parcels.jdbc().update("update parcel set fencing_token = 7000500 where id = 1");
		parcels.under(7,
				() -> assertThatExceptionOfType(StaleGenerationException.class)
					.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "LATE", 1))
					.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE)));
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void rowWithTheStampOfAnotherLeaseIsForeignAndRaisesTheCounter() {
		parcels.under(9, LockRequest.of("customer"), () -> this.fencedJdbc.update(UPDATE, "THEIRS", 1));
		parcels.under(7,
				() -> assertThatExceptionOfType(StaleGenerationException.class)
					.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "OURS", 1))
					.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(Rejection.Reason.FOREIGN)));
		assertThat(parcels.state(1)).isEqualTo("THEIRS");
		assertThat(parcels.provider().raisedAbove()).isEqualTo(9);
		assertThat(parcels.rejections()).singleElement()
			.satisfies((rejection) -> assertThat(rejection.guard()).isEqualTo(Rejection.Guard.ROW));
	}

	@Test
	void rowThatIsNotThereIsNoRejection() {
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(UPDATE, "SENT", 99)).isZero();
			assertThat(this.fencedJdbc.update("update parcel set state = ? where id = ? and state = ?", "SENT", 1,
					"OTHER"))
				.isZero();
			assertThat(this.fencedJdbc.update("delete from parcel where id = ?", 99)).isZero();
		});
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void rowWithoutATokenIsAClearErrorAndNoRejection() {
		parcels.jdbc().execute("alter table parcel drop column fencing_token");
		parcels.jdbc().execute("alter table parcel add column fencing_token bigint");
		parcels.jdbc().update("update parcel set fencing_token = 0 where id <> 2");
		parcels.under(1, () -> {
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "SENT", 2))
				.withMessageContaining(
						"update parcel set fencing_token = 0 where fencing_token is null; alter table parcel");
			assertThatExceptionOfType(UnguardableStatementException.class)
				.isThrownBy(() -> this.fencedJdbc.update("update parcel set state = 'SENT'"));
		});
		assertThat(parcels.jdbc().queryForList("select state from parcel", String.class)).containsOnly("NEW");
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void statementsOfTheErrorForRowsWithoutATokenMakeTheTableRight() {
		parcels.jdbc().execute("alter table parcel drop column fencing_token");
		parcels.jdbc().execute("alter table parcel add column fencing_token bigint");
		AtomicReference<String> message = new AtomicReference<>("");
		parcels.under(1,
				() -> assertThatExceptionOfType(UnguardableStatementException.class)
					.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "SENT", 2))
					.satisfies((ex) -> message.set(String.valueOf(ex.getMessage()))));
		String statements = message.get().substring(message.get().indexOf(": ") + 1, message.get().indexOf('\n'));
		for (String statement : statements.split(";")) {
			parcels.jdbc().execute(statement);
		}
		parcels.under(2, () -> assertThat(this.fencedJdbc.update(UPDATE, "SENT", 2)).isEqualTo(1));
		parcels.under(3, () -> this.fencedJdbc.update("insert into parcel (id, state) values (?, ?)", 4, "PLAIN"));
		assertThat(parcels.stamp(2)).isEqualTo(2);
	}

	@Test
	void missingTokenColumnIsWhatTheDatabaseSays() {
		parcels.jdbc().execute("create table plain (id int primary key)");
		parcels.under(7,
				() -> assertThatExceptionOfType(BadSqlGrammarException.class)
					.isThrownBy(() -> this.fencedJdbc.update("delete from plain where id = ?", 1))
					.havingRootCause()
					.satisfies((ex) -> assertThat(ex.getMessage()).containsIgnoringCase("fencing_token")));
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void topLevelOrIsGuardedAsAWhole() {
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(8, () -> {
			assertStale("update parcel set state = ? where state = 'NEW' or prio > ?", "X", 5);
			assertStale("update parcel set state = ? where not (prio > ? and depot < ?)", "X", 100, 0);
			assertStale("update parcel set state = 'X'");
			assertStale("delete from parcel");
			assertStale("delete from parcel where prio > ? or id = 2", 15);
		});
		assertThat(parcels.jdbc().queryForList("select state from parcel", String.class)).containsExactly("NEW", "NEW",
				"NEW");
		assertThat(parcels.rejections()).hasSize(5);
	}

	@Test
	void partlyStaleIsRejectedAndRolledBack() {
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(8, () -> {
			assertStale("update parcel set prio = ? where depot = ?", 1, 5);
			assertThatExceptionOfType(StaleGenerationException.class).isThrownBy(() -> parcels.inTransaction(() -> {
				this.fencedJdbc.update(UPDATE, "SENT", 3);
				this.fencedJdbc.update("update parcel set prio = ? where depot = ?", 1, 5);
			}));
		});
		assertThat(parcels.jdbc().queryForList("select prio from parcel order by id", Integer.class))
			.containsExactly(10, 20, 30);
		assertThat(parcels.state(3)).isEqualTo("NEW");
		assertThat(parcels.rejections()).hasSize(2);
	}

	@Test
	void severalRowsAreWrittenAndStamped() {
		parcels.under(8, () -> {
			assertThat(this.fencedJdbc.update("update parcel set prio = prio + ? where depot = ?", 1, 5)).isEqualTo(3);
			assertThat(this.fencedJdbc.update("update parcel p set state = 'X' where p.prio < ?", 25)).isEqualTo(2);
			assertThat(this.fencedJdbc.update("delete from parcel where parcel.prio > ?", 25)).isEqualTo(1);
		});
		assertThat(parcels.jdbc().queryForList("select prio from parcel order by id", Integer.class))
			.containsExactly(11, 21);
		assertThat(parcels.stamp(1)).isEqualTo(8);
		assertThat(parcels.rejections()).isEmpty();
	}

	@Test
	void conditionWithASubSelectIsJudgedBeforeTheRowsChange() {
		String sql = """
				update parcel set state = 'X' where state = 'NEW' and \
				(select count(*) from parcel q where q.state = 'NEW') = ?""";
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(8, () -> assertStale(sql, 3));
		assertThat(parcels.state(1)).isEqualTo("NEW");
		parcels.under(10, () -> assertThat(this.fencedJdbc.update(sql, 3)).isEqualTo(3));
		parcels.under(11, () -> assertThat(this.fencedJdbc.update(sql, 3)).isZero());
		assertThat(parcels.stamp(2)).isEqualTo(10);
	}

	@Test
	void statementIsReusedWithTheTokenOfEachOwner() {
		Object[] arguments = { "A", 1 };
		parcels.under(7, () -> this.fencedJdbc.update(UPDATE, arguments));
		assertThat(parcels.stamp(1)).isEqualTo(7);
		parcels.under(8, () -> this.fencedJdbc.update(UPDATE, arguments));
		assertThat(parcels.stamp(1)).isEqualTo(8);
		assertThat(arguments).containsExactly("A", 1);
	}

	@Test
	void argumentsArriveInTheirSlots() {
		parcels.under(7, () -> {
			assertThat(this.fencedJdbc.update(
					"insert into parcel (id, state, depot, prio) values (?, ?, ?, ?), " + "(?, 'it''s ?', ?, ?) -- ?",
					11, "a", 12, 13, 14, 15, 16))
				.isEqualTo(2);
			assertThat(this.fencedJdbc.update("update parcel set state = ?, depot = ? where id = ? and prio = ?;", "b",
					17, 11, 13))
				.isEqualTo(1);
		});
		assertThat(parcels.jdbc().queryForMap("select * from parcel where id = 11").values()).containsExactly(11, "b",
				17, 13, 7_000_002L);
		assertThat(parcels.jdbc().queryForMap("select * from parcel where id = 14").values()).containsExactly(14,
				"it's ?", 15, 16, 7_000_001L);
	}

	@Test
	void nullArgumentIsSent() {
		parcels.under(7, () -> this.fencedJdbc.update(UPDATE, null, 1));
		assertThat(parcels.state(1)).isNull();
	}

	@Test
	void literalsAreLeftAlone() {
		String literal = "ratio 3:1 ? :h ; -- WHERE C:\\";
		List<String> literals = switch (this.database) {
			case POSTGRESQL -> List.of("'" + literal + "'", "$$it's ? WHERE x=?$$", "$q$$$ WHERE x=? $q$");
			case H2 -> List.of("'" + literal + "'", "$$it's ? WHERE x=?$$", "'$$ WHERE x=? '");
			case MARIADB -> List.of("'" + literal + "\\'", "'it\\'s ? WHERE x=?'", "\"$$ WHERE x=? \"");
		};
		parcels.under(7, () -> {
			for (int id = 1; id <= 3; id++) {
				this.fencedJdbc.update("update parcel set state=" + literals.get(id - 1) + " WHERE id=?", id);
			}
		});
		assertThat(parcels.state(1)).isEqualTo(literal);
		assertThat(parcels.state(2)).isEqualTo("it's ? WHERE x=?");
		assertThat(parcels.state(3)).isEqualTo("$$ WHERE x=? ");
		assertThat(parcels.stamp(3)).isEqualTo(7);
	}

	@Test
	void errorOfTheDatabaseStaysWhatSpringCallsIt() {
		parcels.under(7, () -> {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(
						() -> this.fencedJdbc.update("update parcel set depot = interval ':h hours' where id = ?", 1))
				.isNotInstanceOf(StaleGenerationException.class)
				.isNotInstanceOf(UnguardableStatementException.class);
			assertThatExceptionOfType(DuplicateKeyException.class)
				.isThrownBy(() -> this.fencedJdbc.update("insert into parcel (id) values (?)", 1));
		});
		assertThat(parcels.rejections()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "update parcel set state = 'X' where id = 1; update parcel set state = 'Y' where id = 2",
			"truncate table parcel", "call next_parcel(1)", "delete p from parcel p join parcel q on p.id = q.id",
			"update parcel set state = 'X', fencing_token = 0",
			"update parcel set state = 'X' where fencing_token <= 5",
			"update parcel set state = 'X' where id = 1 limit 1", "update parcel set state = :state",
			"with x as (delete from parcel) select 1", "insert into parcel values (4, 'X', 1, 1, 0)" })
	void whatCannotBeGuardedIsRefused(String sql) {
		parcels.under(7,
				() -> assertThatExceptionOfType(UnguardableStatementException.class)
					.isThrownBy(() -> this.fencedJdbc.update(sql))
					.withMessageContaining(sql));
		assertThat(parcels.jdbc().queryForList("select state from parcel", String.class)).containsExactly("NEW", "NEW",
				"NEW");
	}

	@Test
	void wrongNumberOfArgumentsIsRefused() {
		parcels.under(7, () -> {
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "X"));
			assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "X", 1, 2));
		});
	}

	@Test
	void deleteIsGuardedAndALateInsertIsRefusedByTheTransaction() {
		parcels.under(7, () -> {
			parcels.elsewhere(8, () -> {
				this.fencedJdbc.update(UPDATE, "SENT", 2);
				assertThat(this.fencedJdbc.update("delete from parcel where id = 1")).isEqualTo(1);
			});
			assertStale("delete from parcel where id = ?", 2);
			assertThatExceptionOfType(StaleGenerationException.class)
				.isThrownBy(() -> this.fencedJdbc.update("insert into parcel (id, state) values (1, 'NEW')"))
				.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.TRANSACTION));
		});
		assertThat(parcels.jdbc().queryForList("select id from parcel order by id", Integer.class)).containsExactly(2,
				3);
	}

	@Test
	void outsideALeaseNothingIsWritten() {
		assertThatExceptionOfType(NoFencedLeaseException.class).isThrownBy(() -> this.fencedJdbc.update(UPDATE, "X", 1))
			.withMessageContaining("@FencedLock");
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void severalLeasesNeedToBeTold() {
		parcels.under(7, () -> parcels.under(8, LockRequest.of("customer").key(3), () -> {
			assertThatExceptionOfType(NoFencedLeaseException.class)
				.isThrownBy(() -> this.fencedJdbc.update(UPDATE, "X", 1))
				.withMessageContaining("on(name, key)")
				.withMessageContaining("'customer:3', 'depot:1'");
			this.fencedJdbc.on("depot", 1).update(UPDATE, "X", 1);
			this.fencedJdbc.on("customer", 3).update(UPDATE, "Y", 2);
			assertThatExceptionOfType(NoFencedLeaseException.class)
				.isThrownBy(() -> this.fencedJdbc.on("customer", null).update(UPDATE, "Z", 3))
				.withMessageContaining("'customer'");
		}));
		assertThat(parcels.stamp(1)).isEqualTo(7);
		assertThat(parcels.stamp(2)).isEqualTo(8);
		assertThat(parcels.stamp(3)).isZero();
	}

	@Test
	void leaseWithinTheSameLeaseIsOne() {
		parcels.under(7, () -> parcels.under(7, () -> assertThat(this.fencedJdbc.update(UPDATE, "X", 1)).isOne()));
		assertThat(parcels.stamp(1)).isEqualTo(7);
	}

	@Test
	void afterCommitCallbackIsRefused() {
		parcels.under(7, () -> parcels.inTransaction(
				() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						assertThatExceptionOfType(UnguardableStatementException.class)
							.isThrownBy(() -> FencedJdbcTemplateTests.this.fencedJdbc.update(UPDATE, "X", 1));
					}
				})));
		assertThat(parcels.state(1)).isEqualTo("NEW");
	}

	@Test
	void onePooledConnectionIsEnough() {
		parcels.stack().pool().setMaximumPoolSize(1);
		parcels.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
		parcels.under(7, () -> {
			parcels.inTransaction(() -> this.fencedJdbc.update(UPDATE, "X", 1));
			this.fencedJdbc.update(UPDATE, "Y", 1);
			assertStale(UPDATE, "Z", 2);
		});
		assertThat(parcels.state(1)).isEqualTo("Y");
		assertThat(parcels.stack().pool().getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	@Test
	void withoutRegistrationAGreaterStampIsTakenForALaterOwners() {
		try (ParcelFixture unregistered = new ParcelFixture(this.database, false)) {
			unregistered.jdbc().update("update parcel set fencing_token = 9000001 where id = 2");
			unregistered.under(7,
					() -> assertThatExceptionOfType(StaleGenerationException.class)
						.isThrownBy(() -> unregistered.fencedJdbc().update(UPDATE, "X", 2))
						.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(Rejection.Reason.STALE)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a;", "\"a\"", "1a", "a.b" })
	void tokenColumnMustBeAnIdentifier(String column) {
		FencedDataSource fenced = parcels.stack().fenced();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new FencedJdbcTemplate(fenced, new FencedConnections(fenced, null), null, column))
			.withMessageContaining("token column");
	}

	private void assertStale(String sql, Object... arguments) {
		assertThatExceptionOfType(StaleGenerationException.class)
			.isThrownBy(() -> this.fencedJdbc.update(sql, arguments))
			.satisfies((ex) -> assertThat(ex.getGuard()).isEqualTo(Rejection.Guard.ROW));
	}

}
