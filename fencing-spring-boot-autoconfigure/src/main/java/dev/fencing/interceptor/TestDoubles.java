package dev.fencing.interceptor;

/**
 * Tells which ready-made objects stand in for beans in a test: nothing locks their
 * methods, and nothing has to. A bean of this type comes with
 * {@code fencing-spring-boot-starter-test}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TestDoubles {

	/**
	 * Return whether an object stands in for a bean.
	 * @param beanName the name of the bean; never null
	 * @param object the object; never null
	 * @return whether it does
	 */
	boolean contain(String beanName, Object object);

}
