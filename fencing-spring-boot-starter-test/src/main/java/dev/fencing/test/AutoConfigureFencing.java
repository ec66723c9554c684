package dev.fencing.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a Spring test what it needs to try out locked code: a {@link StaleOwner} to be
 * injected, leases in memory, and in a slice like {@code @JdbcTest} or
 * {@code @DataJpaTest} also the locks, the guards and the helpers, which a slice leaves
 * out otherwise.
 *
 * <p>
 * These slices run each test in a transaction, inside which no lease is taken. So a test
 * of locked code is annotated with
 * {@code @Transactional(propagation = Propagation.NOT_SUPPORTED)} as well.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureFencing {

	/**
	 * Where leases are kept.
	 * @return the memory of the test's process, or what the application configures
	 */
	Provider provider() default Provider.MEMORY;

	/**
	 * Where leases are kept.
	 */
	enum Provider {

		/**
		 * In the memory of the test's process, whatever {@code fencing.provider} says.
		 */
		MEMORY,

		/**
		 * Where {@code fencing.provider} says: in Redis unless it says otherwise.
		 */
		CONFIGURED

	}

}
