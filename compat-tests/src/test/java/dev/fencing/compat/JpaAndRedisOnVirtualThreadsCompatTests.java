package dev.fencing.compat;

import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * The same on virtual threads, where the JDK has them.
 */
@Import(JpaAndRedisCompatTests.Entities.class)
@TestPropertySource(properties = "spring.threads.virtual.enabled=true")
class JpaAndRedisOnVirtualThreadsCompatTests extends JpaAndRedisCompatTests {

}
