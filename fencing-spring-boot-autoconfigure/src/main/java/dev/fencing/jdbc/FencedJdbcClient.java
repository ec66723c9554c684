package dev.fencing.jdbc;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.TypeMismatchDataAccessException;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.jdbc.support.rowset.SqlRowSet;

import dev.fencing.NoFencedLeaseException;
import dev.fencing.StaleGenerationException;
import dev.fencing.UnguardableStatementException;

/**
 * The {@link FencedJdbcTemplate} in a fluent style, for named and positional parameters.
 * It reads like Spring's {@code JdbcClient}, and parameters mean what they mean there.
 *
 * <pre class="code">
 * fencedJdbcClient.sql("update document set title = :title where id = :id")
 *     .param("title", title)
 *     .param("id", id)
 *     .update();
 * </pre>
 *
 * <p>
 * The name {@code fencingToken} is reserved. A statement that has its own guard writes
 * {@code :fencingToken} where the token belongs, and the caller gives no value for it.
 *
 * <p>
 * The queries are for statements that write rows and return them, as with
 * {@code RETURNING}; one that only reads is refused. What they find wrong with the
 * result, they find after the rows were written: outside a transaction these are then
 * committed.
 *
 * <p>
 * All methods that send a statement throw
 * <ul>
 * <li>{@link StaleGenerationException} if a row matches that carries another token than a
 * lesser one, even if others were written: the transaction is to be rolled back
 * <li>{@link NoFencedLeaseException} if the current thread has no lease, or has several
 * and {@link #on(String, Object)} does not say which
 * <li>{@link UnguardableStatementException} if the statement, or the active transaction,
 * cannot be guarded, or if a row that matches has no token at all
 * <li>{@link InvalidDataAccessApiUsageException} if a parameter has no value or there are
 * too many, or if {@code fencingToken} is given one
 * <li>{@link IllegalStateException} if there are named and positional values, or single
 * named ones and a source
 * <li>{@link DataAccessException} if the database failed.
 * </ul>
 *
 * <p>
 * A client can be used by several threads at once; what {@link #sql(String)} returns
 * cannot, but can be executed many times.
 *
 * @since 0.1.0
 */
public interface FencedJdbcClient {

	/**
	 * Create a client.
	 * @param fencedJdbc what guards and sends the statements; never null
	 * @return the client; never null
	 */
	static FencedJdbcClient create(FencedJdbcTemplate fencedJdbc) {
		return new DefaultFencedJdbcClient(fencedJdbc);
	}

	/**
	 * Return this client for one of several leases that the current thread has.
	 * @param name the lock name; never null
	 * @param key the key; null for a lock without a key
	 * @return a client whose statements go with the lease on that resource; never null
	 * @throws IllegalArgumentException if the name or the key is none
	 */
	FencedJdbcClient on(String name, @Nullable Object key);

	/**
	 * Begin with a statement.
	 * @param sql the statement, with {@code :name} or with {@code ?} for each parameter;
	 * never null
	 * @return the statement, to be given its parameters and executed; never null
	 */
	StatementSpec sql(String sql);

	/**
	 * A statement and its parameters: either named or positional ones.
	 *
	 * @since 0.1.0
	 */
	// The callbacks are told apart as they are with Spring's
	@SuppressWarnings("overloads")
	interface StatementSpec {

		/**
		 * Give the next positional parameter its value.
		 * @param value the value; may be null
		 * @return this; never null
		 * @throws IllegalArgumentException if the value is a list, which only a named
		 * parameter can be
		 */
		StatementSpec param(@Nullable Object value);

		/**
		 * Give a positional parameter its value.
		 * @param jdbcIndex which one, counted from 1
		 * @param value the value; may be null
		 * @return this; never null
		 * @throws IllegalArgumentException if the index is less than 1, or if the value
		 * is a list, which only a named parameter can be
		 */
		StatementSpec param(int jdbcIndex, @Nullable Object value);

		/**
		 * Give a positional parameter its value.
		 * @param jdbcIndex which one, counted from 1
		 * @param value the value; may be null
		 * @param sqlType its type, one of {@link java.sql.Types}
		 * @return this; never null
		 * @throws IllegalArgumentException if the index is less than 1, or if the value
		 * is a list, which only a named parameter can be
		 */
		StatementSpec param(int jdbcIndex, @Nullable Object value, int sqlType);

		/**
		 * Give a named parameter its value.
		 * @param name the name, without the colon; never null
		 * @param value the value; may be null. A list becomes as many placeholders.
		 * @return this; never null
		 */
		StatementSpec param(String name, @Nullable Object value);

		/**
		 * Give a named parameter its value.
		 * @param name the name, without the colon; never null
		 * @param value the value; may be null. A list becomes as many placeholders.
		 * @param sqlType its type, one of {@link java.sql.Types}
		 * @return this; never null
		 */
		StatementSpec param(String name, @Nullable Object value, int sqlType);

		/**
		 * Give the next positional parameters their values.
		 * @param values the values in order; never null, but each may be
		 * @return this; never null
		 */
		StatementSpec params(@Nullable Object... values);

		/**
		 * Give the next positional parameters their values.
		 * @param values the values in order; never null, but each may be
		 * @return this; never null
		 */
		StatementSpec params(List<?> values);

		/**
		 * Give named parameters their values, besides those that have some already.
		 * @param paramMap the values by names; never null, but each value may be
		 * @return this; never null
		 */
		StatementSpec params(Map<String, ?> paramMap);

		/**
		 * Give all named parameters their values.
		 * @param namedParamObject a bean, a record, an object with such fields or a map;
		 * never null
		 * @return this; never null
		 */
		StatementSpec paramSource(Object namedParamObject);

		/**
		 * Give all named parameters their values.
		 * @param namedParamSource where the values come from; never null
		 * @return this; never null
		 */
		StatementSpec paramSource(SqlParameterSource namedParamSource);

		/**
		 * Write rows, and read what the statement returns of them, by columns.
		 * @return what is to become of the rows; never null. Nothing is sent before that
		 * is said.
		 */
		ResultQuerySpec query();

		/**
		 * Write rows, and make an object of what the statement returns of each.
		 * @param <T> the class
		 * @param mappedClass a simple type for a single column, or a bean, a record or a
		 * class with such fields; never null
		 * @return what is to become of the objects; never null. Nothing is sent before
		 * that is said.
		 */
		<T> MappedQuerySpec<@Nullable T> query(Class<T> mappedClass);

		/**
		 * Write rows, and make an object of what the statement returns of each.
		 * @param <T> the kind of objects
		 * @param rowMapper makes an object of a row; never null
		 * @return what is to become of the objects; never null. Nothing is sent before
		 * that is said.
		 */
		<T extends @Nullable Object> MappedQuerySpec<T> query(RowMapper<T> rowMapper);

		/**
		 * Write rows, and read what the statement returns of them.
		 * @param rch is given each row; never null
		 */
		void query(RowCallbackHandler rch);

		/**
		 * Write rows, and read what the statement returns of them.
		 * @param <T> the kind of result
		 * @param rse reads all rows; never null
		 * @return what it made of them; null if it returns null
		 */
		<T extends @Nullable Object> T query(ResultSetExtractor<T> rse);

		/**
		 * Insert, update or delete rows.
		 * @return the number of rows; 0 if no row matches
		 */
		int update();

		/**
		 * Insert, update or delete rows, and return the keys that the database generated.
		 * @param generatedKeyHolder takes the keys; never null
		 * @return the number of rows; 0 if no row matches
		 */
		int update(KeyHolder generatedKeyHolder);

		/**
		 * Insert, update or delete rows, and return the keys that the database generated.
		 * @param generatedKeyHolder takes the keys; never null
		 * @param keyColumnNames the columns that are generated; never null
		 * @return the number of rows; 0 if no row matches
		 */
		int update(KeyHolder generatedKeyHolder, String... keyColumnNames);

	}

	/**
	 * What is to become of rows. Each method executes the statement.
	 *
	 * @since 0.1.0
	 */
	interface ResultQuerySpec {

		/**
		 * Return the rows as a row set that needs no connection.
		 * @return the row set; never null
		 */
		SqlRowSet rowSet();

		/**
		 * Return all rows.
		 * @return the rows in order, by column names that do not tell case; never null
		 */
		List<Map<String, @Nullable Object>> listOfRows();

		/**
		 * Return the only row.
		 * @return the row, by column names that do not tell case; never null
		 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
		 */
		Map<String, @Nullable Object> singleRow();

		/**
		 * Return the only column of all rows.
		 * @return the values in order; never null, but each may be
		 */
		List<@Nullable Object> singleColumn();

		/**
		 * Return the only column of the only row.
		 * @return the value; never null
		 * @throws IncorrectResultSizeDataAccessException if it is not exactly one row
		 * @throws TypeMismatchDataAccessException if the value is null
		 */
		default Object singleValue() {
			return DataAccessUtils.requiredSingleResult(singleColumn());
		}

		/**
		 * Return the only column of the only row, if there is one.
		 * @return the value; empty if there is no row, or if the value is null
		 * @throws IncorrectResultSizeDataAccessException if there are several rows
		 */
		default Optional<Object> optionalValue() {
			return DataAccessUtils.optionalResult(singleColumn());
		}

	}

	/**
	 * What is to become of objects that were made of rows. Each method executes the
	 * statement.
	 *
	 * @param <T> the kind of objects
	 * @since 0.1.0
	 */
	interface MappedQuerySpec<T extends @Nullable Object> {

		/**
		 * Return all objects. All rows have been read by then, since only then is it
		 * known that none was refused.
		 * @return the objects in order, in a stream that need not be closed; never null
		 */
		default Stream<T> stream() {
			return list().stream();
		}

		/**
		 * Return all objects.
		 * @return the objects in order; never null
		 */
		List<T> list();

		/**
		 * Return all different objects.
		 * @return the objects in order; never null
		 */
		default Set<T> set() {
			return new LinkedHashSet<>(list());
		}

		/**
		 * Return the only object.
		 * @return the object; never null
		 * @throws IncorrectResultSizeDataAccessException if it is not exactly one
		 * @throws TypeMismatchDataAccessException if it is null
		 */
		default @NonNull T single() {
			return DataAccessUtils.requiredSingleResult(list());
		}

		/**
		 * Return the only object, if there is one.
		 * @return the object; empty if there is no row, or if the object is null
		 * @throws IncorrectResultSizeDataAccessException if there are several
		 */
		default Optional<@NonNull T> optional() {
			return DataAccessUtils.optionalResult(list());
		}

	}

}
