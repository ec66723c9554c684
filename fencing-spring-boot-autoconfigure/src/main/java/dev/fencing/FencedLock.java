package dev.fencing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a lease on a resource, and has the database refuse what an owner
 * whose lease has passed on still tries to commit.
 *
 * <pre class="code">
 * &#64;FencedLock(name = "document", key = "#id")
 * &#64;Transactional
 * public void rename(long id, String title) {
 *     this.fencedJdbc.update("update document set title = ? where id = ?", title, id);
 * }
 * </pre>
 *
 * <p>
 * Before the method runs, the lease is taken and its
 * {@linkplain FencingContext#generation() generation} is registered in the database.
 * Every transaction on the fenced database that commits while the method runs asks the
 * database first whether that generation is still the registered one, and is rolled back
 * with a {@link StaleGenerationException} when a later owner has registered. The lease is
 * released after the transaction has completed, never before.
 *
 * <p>
 * The lease time says how soon the crash of an owner is noticed. It is no limit for the
 * work: the lease is renewed while the method runs, up to {@link #maxHold()}.
 *
 * <p>
 * A method that locks what its caller has locked already runs under that lease: the times
 * that it asks for itself ({@link #leaseTime()}, {@link #waitTime()}, {@link #minHold()},
 * {@link #maxHold()}) are ignored then.
 *
 * <p>
 * The annotation may stand on the methods of a class or of an interface, and on other
 * annotations. It works through a Spring proxy: a call from within the same object is not
 * seen, and a method that no proxy can reach (private, final, static) stops the start of
 * the application.
 *
 * @since 0.1.0
 * @see FencedLockTemplate
 * @see <a href=
 * "https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"> Martin
 * Kleppmann: How to do distributed locking</a>, where fencing tokens are described
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FencedLock {

	/**
	 * Alias for {@link #name()}.
	 * @return the lock name
	 */
	@AliasFor("name")
	String value() default "";

	/**
	 * The lock name: one of few values, since it is used as a tag of meters. It holds no
	 * {@code :} and is not blank; {@code ${...}} placeholders are resolved. With a
	 * {@link #key()} the leased resource is {@code name:key}, without one it is the name.
	 * @return the lock name
	 */
	@AliasFor("value")
	String name() default "";

	/**
	 * A SpEL expression on the method's arguments that gives one simple value: text, a
	 * number, an enum constant, a UUID, a date or time of {@code java.time}. Null, blank
	 * text and values without a textual identity of their own are refused when the method
	 * is called. The arguments are known as {@code #name}, {@code #a0} and {@code #p0},
	 * the target object as {@code #root.target}.
	 * @return the expression; empty for a lock without a key
	 */
	String key() default "";

	/**
	 * A SpEL expression like {@link #key()} that gives a collection or an array of such
	 * values: the method runs under a lease on all the resources {@code name:key}, or not
	 * at all. They are taken in the order of their names, duplicates once, so that
	 * callers that name the same keys in another order wait for each other, but never for
	 * ever. All have to be free at the same time: where other processes keep taking
	 * single ones, that may take longer, up to the wait time. At most
	 * {@value LockRequest#MAX_KEYS} keys; none at all is refused.
	 * @return the expression; empty unless several resources are locked as one
	 */
	String keys() default "";

	/**
	 * How long the lease lasts unless it is renewed, as text: {@code 10s}, ISO-8601 or a
	 * {@code ${...}} placeholder.
	 * @return the lease time; empty for {@code fencing.lock.lease-time}
	 */
	String leaseTime() default "";

	/**
	 * How long to wait while another owner holds the lease, as text like
	 * {@link #leaseTime()}. The registration in the database, which follows, has a time
	 * of its own, {@code fencing.jdbc.registration-timeout}.
	 * @return the wait time; empty for {@code fencing.lock.wait-time}, and for no wait at
	 * all with {@link WhenUnavailable#SKIP}
	 */
	String waitTime() default "";

	/**
	 * For how long nobody else gets the lease, also when the method returns or throws
	 * sooner, as text like {@link #leaseTime()}. For a job that all instances start at
	 * about the same time and that takes less than their clocks differ: a lock alone does
	 * not keep the second one from running it again. To run a failed method again takes
	 * until then as well. After a crash the lease ends with its lease time, if that is
	 * shorter.
	 * @return the shortest hold; empty for none
	 */
	String minHold() default "";

	/**
	 * The time after which the lease is not renewed any more, counted from its
	 * acquisition, as text like {@link #leaseTime()}.
	 * @return the longest hold; empty for {@code fencing.lock.max-hold}
	 */
	String maxHold() default "";

	/**
	 * What to do when another owner keeps the lease until the wait time is over. With
	 * {@link WhenUnavailable#SKIP} that is at once, unless {@link #waitTime()} is set.
	 * @return {@link WhenUnavailable#THROW} unless set
	 */
	WhenUnavailable whenUnavailable() default WhenUnavailable.THROW;

}
