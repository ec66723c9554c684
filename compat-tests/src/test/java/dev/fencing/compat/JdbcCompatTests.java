package dev.fencing.compat;

import org.springframework.test.context.TestPropertySource;

/**
 * Plain JDBC with leases in memory. Of the names of JPA's auto-configurations those of
 * 3.5 come first, then those of 4.x; what a version does not have is no error.
 */
@TestPropertySource(
		properties = { "fencing.provider=memory", "spring.autoconfigure.exclude=" + JdbcCompatTests.WITHOUT_JPA })
class JdbcCompatTests extends AbstractCompatTests {

	static final String WITHOUT_JPA = "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration,"
			+ "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration,"
			+ "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
			+ "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

}
