package dev.fencing.test.app;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.ApplicationContext;

import dev.fencing.FencedLockTemplate;
import dev.fencing.test.StaleOwner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A slice that does not ask for locks has none: there the annotation does nothing.
 */
@JdbcTest
class WithoutTheAnnotationTests {

	@Test
	void sliceIsAsItWas(@Autowired ApplicationContext context) {
		assertThat(context.getBeanProvider(StaleOwner.class).getIfAvailable()).isNull();
		assertThat(context.getBeanProvider(FencedLockTemplate.class).getIfAvailable()).isNull();
	}

}
