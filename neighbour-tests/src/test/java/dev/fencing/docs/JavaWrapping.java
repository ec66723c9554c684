package dev.fencing.docs;

import java.util.List;

/**
 * What a snippet is part of.
 */
enum JavaWrapping {

	/**
	 * With the imports that it needs.
	 */
	COMPILATION_UNIT("", ""),

	TYPES("%s", ""),

	MEMBERS("%sabstract class Snippet extends dev.fencing.docs.support.SnippetContext {", "}"),

	STATEMENTS(
			"%sabstract class Snippet extends dev.fencing.docs.support.SnippetContext { void run() throws Throwable {",
			"}}");

	/**
	 * A snippet needs no imports where it uses only these: our public packages, and what
	 * anybody who uses Spring knows.
	 */
	private static final List<String> IMPORTS = List.of("dev.fencing.*", "dev.fencing.autoconfigure.*",
			"dev.fencing.docs.support.*", "dev.fencing.event.*", "dev.fencing.integration.*", "dev.fencing.jdbc.*",
			"dev.fencing.lease.*", "dev.fencing.metrics.*", "dev.fencing.shedlock.*", "dev.fencing.test.*",
			"dev.fencing.test.provider.*", "java.time.*", "java.util.*", "java.util.concurrent.*",
			"java.util.concurrent.atomic.*", "javax.sql.DataSource", "net.javacrumbs.shedlock.core.*",
			"net.javacrumbs.shedlock.spring.annotation.*", "org.junit.jupiter.api.*", "org.redisson.api.*",
			"org.springframework.batch.core.repository.JobRepository",
			"org.springframework.batch.core.step.StepExecution", "org.springframework.batch.core.step.builder.*",
			"org.springframework.batch.core.step.item.ChunkOrientedStep",
			"org.springframework.batch.infrastructure.item.*",
			"org.springframework.batch.infrastructure.repeat.support.RepeatTemplate",
			"org.springframework.beans.factory.annotation.*", "org.springframework.boot.SpringApplication",
			"org.springframework.boot.autoconfigure.SpringBootApplication",
			"org.springframework.boot.jdbc.test.autoconfigure.JdbcTest",
			"org.springframework.boot.test.context.SpringBootTest", "org.springframework.context.annotation.*",
			"org.springframework.context.event.EventListener", "org.springframework.core.Ordered",
			"org.springframework.dao.*", "org.springframework.data.redis.connection.RedisConnectionFactory",
			"org.springframework.data.redis.core.*", "org.springframework.integration.dsl.*",
			"org.springframework.integration.handler.advice.*", "org.springframework.integration.redis.util.*",
			"org.springframework.integration.support.locks.*", "org.springframework.jdbc.core.JdbcTemplate",
			"org.springframework.scheduling.annotation.*", "org.springframework.stereotype.*",
			"org.springframework.transaction.PlatformTransactionManager",
			"org.springframework.transaction.annotation.*", "org.springframework.transaction.support.*",
			"static org.assertj.core.api.Assertions.*", "static org.mockito.BDDMockito.*");

	private final String before;

	private final String after;

	JavaWrapping(String before, String after) {
		this.before = before;
		this.after = after;
	}

	/**
	 * Return the source, whose line 2 is the first one of the snippet.
	 * @param packageName a package of its own
	 * @param text the snippet
	 */
	String wrap(String packageName, String text) {
		String imports = "package %s; import %s; ".formatted(packageName, String.join("; import ", IMPORTS));
		return this.before.formatted(imports) + "\n" + text + "\n" + this.after;
	}

}
