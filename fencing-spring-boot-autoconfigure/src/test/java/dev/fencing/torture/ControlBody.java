package dev.fencing.torture;

import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.FencingContext;
import dev.fencing.FencingTokens;
import dev.fencing.transaction.GenerationRegistry;
import dev.fencing.transaction.Registration;

/**
 * Work that is protected by less than the library, written by hand: each loses updates.
 */
final class ControlBody implements Body {

	private static final String UPDATE = "update account set amount = ?, entries = ? where id = ?";

	private final JdbcOperations jdbc;

	private final GenerationRegistry registry;

	private final Protection protection;

	ControlBody(JdbcOperations jdbc, GenerationRegistry registry, Protection protection) {
		this.jdbc = jdbc;
		this.registry = registry;
		this.protection = protection;
	}

	@Override
	public void run(Operation operation, int part, FencingContext context, Stops stops) {
		int account = operation.accounts().get(0);
		if (this.protection == Protection.SUBQUERY_GUARD) {
			register(account, context);
		}
		stops.at(Stop.BEGUN);
		Row row = Row.read(this.jdbc, account).after(operation);
		stops.at(Stop.READ);
		if (this.protection == Protection.REGISTRATION_AT_FIRST_WRITE) {
			register(account, context);
		}
		refuseUnless(write(row, context) == 1);
		row.note(this.jdbc, operation, part, Row.owner(account));
		stops.at(Stop.WRITTEN);
		if (this.protection == Protection.REGISTRATION_AT_COMMIT) {
			register(account, context);
		}
	}

	private int write(Row row, FencingContext context) {
		return switch (this.protection) {
			case ROW_GUARD -> {
				long token = context.nextToken();
				yield this.jdbc.update("""
						update account set amount = ?, entries = ?, fencing_token = ?
						where id = ? and fencing_token < ?""", row.amount(), row.entries(), token, row.id(), token);
			}
			case SUBQUERY_GUARD -> this.jdbc.update(
					UPDATE + " and exists (select 1 from fencing_generation where resource_id = ? and owner = ?)",
					row.amount(), row.entries(), row.id(), Operation.resource(row.id()), Row.owner(row.id()));
			default -> this.jdbc.update(UPDATE, row.amount(), row.entries(), row.id());
		};
	}

	private void register(int account, FencingContext context) {
		refuseUnless(this.registry.register(Operation.resource(account), FencingTokens.of(context.generation(), 0),
				Row.owner(account)) instanceof Registration.Accepted);
	}

	private static void refuseUnless(boolean accepted) {
		if (!accepted) {
			throw new RefusedException();
		}
	}

}
