package dev.fencing.jdbc;

import java.util.EnumSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

import dev.fencing.UnguardableStatementException;

/**
 * What the lexer must know about a database and its driver to tell where a literal, a
 * comment or a placeholder ends, and the guard to tell which forms there are.
 */
enum SqlDialect {

	/**
	 * PostgreSQL with standard conforming strings (the default), through pgjdbc.
	 */
	POSTGRESQL(EnumSet.of(Trait.ESCAPE_STRINGS, Trait.DOLLAR_QUOTES, Trait.DOLLAR_TAGS, Trait.NESTED_COMMENTS,
			Trait.QUESTION_MARK_ESCAPES, Trait.HASH_OPERATORS, Trait.ONLY_TABLES, Trait.LEADING_WITH, Trait.RETURNING,
			Trait.JOINED_TABLES, Trait.CONFLICT_UPDATES), "bigint"),

	/**
	 * H2.
	 */
	H2(EnumSet.of(Trait.DOLLAR_QUOTES, Trait.BACKTICKS, Trait.SLASH_COMMENTS, Trait.NESTED_COMMENTS), "bigint"),

	/**
	 * MySQL and MariaDB, through MySQL Connector/J or MariaDB's driver. Whether a double
	 * quote encloses a text or a name is left open.
	 */
	MYSQL(EnumSet.of(Trait.BACKSLASH_ESCAPES, Trait.BACKTICKS, Trait.HASH_COMMENTS, Trait.LEADING_WITH, Trait.RETURNING,
			Trait.OR_OPERATOR, Trait.DUPLICATE_KEYS), "signed");

	@SuppressWarnings("ImmutableEnumChecker") // an EnumSet that nobody changes
	private final Set<Trait> traits;

	private final String tokenType;

	SqlDialect(Set<Trait> traits, String tokenType) {
		this.traits = traits;
		this.tokenType = tokenType;
	}

	/**
	 * Ask the database what it is.
	 * @throws UnguardableStatementException if it is none of these, or reads literals
	 * differently
	 */
	static SqlDialect of(JdbcOperations jdbc) {
		String product = jdbc
			.execute((ConnectionCallback<String>) (connection) -> connection.getMetaData().getDatabaseProductName());
		RegistryDialect database = (product != null) ? RegistryDialect.forProduct(product) : null;
		if (database == null) {
			throw notGuarded(product);
		}
		return switch (database) {
			case H2 -> H2;
			case MYSQL, MARIADB -> MYSQL;
			case POSTGRESQL -> {
				if (!"on".equals(jdbc.queryForObject("show standard_conforming_strings", String.class))) {
					throw new UnguardableStatementException("""
							Statements are guarded only if standard_conforming_strings is on, as it is by default: \
							otherwise nobody can tell where a literal ends""");
				}
				yield POSTGRESQL;
			}
			case SQLSERVER, ORACLE -> throw notGuarded(product);
		};
	}

	private static UnguardableStatementException notGuarded(@Nullable String product) {
		return new UnguardableStatementException(
				"Statements for '%s' are not guarded. %s".formatted(product, StatementRefusal.PLAIN));
	}

	/**
	 * Whether {@code E'...'} is one literal, with backslash escapes.
	 */
	boolean hasEscapeStrings() {
		return this.traits.contains(Trait.ESCAPE_STRINGS);
	}

	/**
	 * Whether a backslash escapes the next character in every literal, and double quotes
	 * may enclose one.
	 */
	boolean hasBackslashEscapes() {
		return this.traits.contains(Trait.BACKSLASH_ESCAPES);
	}

	/**
	 * Whether {@code $$...$$} is a literal.
	 */
	boolean hasDollarQuotes() {
		return this.traits.contains(Trait.DOLLAR_QUOTES);
	}

	/**
	 * Whether {@code $tag$...$tag$} is a literal, too.
	 */
	boolean hasDollarTags() {
		return this.traits.contains(Trait.DOLLAR_TAGS);
	}

	/**
	 * Whether backticks quote an identifier.
	 */
	boolean hasBackticks() {
		return this.traits.contains(Trait.BACKTICKS);
	}

	/**
	 * Whether {@code //} starts a comment.
	 */
	boolean hasSlashComments() {
		return this.traits.contains(Trait.SLASH_COMMENTS);
	}

	/**
	 * Whether {@code #} starts a comment.
	 */
	boolean hasHashComments() {
		return this.traits.contains(Trait.HASH_COMMENTS);
	}

	/**
	 * Whether {@code #} may be part of an operator.
	 */
	boolean hasHashOperators() {
		return this.traits.contains(Trait.HASH_OPERATORS);
	}

	/**
	 * Whether a block comment may hold another one.
	 */
	boolean hasNestedComments() {
		return this.traits.contains(Trait.NESTED_COMMENTS);
	}

	/**
	 * Whether {@code ??} is the driver's way to write the operator {@code ?}.
	 */
	boolean hasQuestionMarkEscapes() {
		return this.traits.contains(Trait.QUESTION_MARK_ESCAPES);
	}

	/**
	 * Whether {@code ONLY} may stand before the name of a table.
	 */
	boolean hasOnlyTables() {
		return this.traits.contains(Trait.ONLY_TABLES);
	}

	/**
	 * Whether a WITH may come before INSERT, UPDATE and DELETE.
	 */
	boolean hasLeadingWith() {
		return this.traits.contains(Trait.LEADING_WITH);
	}

	/**
	 * Whether there is {@code RETURNING}.
	 */
	boolean hasReturning() {
		return this.traits.contains(Trait.RETURNING);
	}

	/**
	 * Whether UPDATE ... FROM and DELETE ... USING join other tables that are only read.
	 */
	boolean hasJoinedTables() {
		return this.traits.contains(Trait.JOINED_TABLES);
	}

	/**
	 * Whether {@code ON CONFLICT} may update.
	 */
	boolean hasConflictUpdates() {
		return this.traits.contains(Trait.CONFLICT_UPDATES);
	}

	/**
	 * Whether {@code ||} may mean OR.
	 */
	boolean hasOrOperator() {
		return this.traits.contains(Trait.OR_OPERATOR);
	}

	/**
	 * Whether there is {@code ON DUPLICATE KEY UPDATE}, with what belongs to it.
	 */
	boolean hasDuplicateKeys() {
		return this.traits.contains(Trait.DUPLICATE_KEYS);
	}

	/**
	 * Return the type of the token as CAST wants it.
	 */
	String tokenType() {
		return this.tokenType;
	}

	/**
	 * Ask whether other tables inherit from one, so that its key is none for all of them.
	 * @param table its name without a schema; all tables of that name are meant
	 */
	boolean mayInherit(JdbcOperations jdbc, SqlIdentifier table) {
		return this == POSTGRESQL && Boolean.TRUE.equals(jdbc.queryForObject("""
				select exists (select 1 from pg_catalog.pg_inherits i \
				join pg_catalog.pg_class c on c.oid = i.inhparent \
				where c.relkind = 'r' and lower(c.relname) = lower(?))""", Boolean.class, table.name()));
	}

	/**
	 * Return the statements that give each row of a table a token.
	 */
	String repair(String table, String column) {
		return (hasDuplicateKeys() ? """
				update %1$s set %2$s = 0 where %2$s is null; \
				alter table %1$s modify %2$s bigint not null default 0""" : """
				alter table %1$s alter column %2$s set default 0; \
				update %1$s set %2$s = 0 where %2$s is null; \
				alter table %1$s alter column %2$s set not null""").formatted(table, column);
	}

	private enum Trait {

		ESCAPE_STRINGS, BACKSLASH_ESCAPES, DOLLAR_QUOTES, DOLLAR_TAGS, BACKTICKS, SLASH_COMMENTS, HASH_COMMENTS,
		HASH_OPERATORS, NESTED_COMMENTS, QUESTION_MARK_ESCAPES, ONLY_TABLES, LEADING_WITH, RETURNING, JOINED_TABLES,
		CONFLICT_UPDATES, OR_OPERATOR, DUPLICATE_KEYS

	}

}
