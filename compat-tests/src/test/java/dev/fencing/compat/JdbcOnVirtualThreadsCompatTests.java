package dev.fencing.compat;

import org.springframework.test.context.TestPropertySource;

/**
 * The same on virtual threads, where the JDK has them.
 */
@TestPropertySource(properties = "spring.threads.virtual.enabled=true")
class JdbcOnVirtualThreadsCompatTests extends JdbcCompatTests {

}
